(** The checker of certificates for noughts and crosses. *)

From Coq Require Import List Arith Bool Permutation Lia.
From Greenwave Require Import Game Basics Lists Certificate.
Import ListNotations.

Definition mark_of (v : level) : option mark :=
  match v with Empty => None | Red => Some Cross | Yellow | Green => Some Nought end.
Definition written (m : mark) : level := match m with Cross => Red | Nought => Yellow end.

Definition is_empty (v : level) : bool := match v with Empty => true | _ => false end.
Definition filled (l : list level) : nat := length (filter (fun v => negb (is_empty v)) l).
Definition empties (l : list level) : nat := length (filter is_empty l).

(** "Whose turn it is follows from the counts." *)
Definition to_move (l : list level) : mark := if Nat.even (filled l) then Cross else Nought.

Fixpoint puts (w : level) (l : list level) : list (list level) :=
  match l with
  | [] => []
  | v :: r => (if is_empty v then [w :: r] else []) ++ map (cons v) (puts w r)
  end.

Definition mark_eqb (a b : mark) : bool := match a, b with Cross, Cross | Nought, Nought => true | _, _ => false end.
Definition holds_mark (m : mark) (v : level) : bool := match mark_of v with Some k => mark_eqb k m | None => false end.

Lemma mark_of_written m : mark_of (written m) = Some m.
Proof. destruct m; reflexivity. Qed.
Lemma holds_mark_spec m v : holds_mark m v = true <-> mark_of v = Some m.
Proof. destruct m, v; split; intros H; try discriminate; reflexivity. Qed.
Lemma is_empty_spec v : is_empty v = true <-> mark_of v = None.
Proof. destruct v; split; intros H; try discriminate; reflexivity. Qed.

Lemma in_puts w l m : In m (puts w l) <-> exists l1 u l2, l = l1 ++ u :: l2 /\ m = l1 ++ w :: l2 /\ is_empty u = true.
Proof.
  split.
  - revert m. induction l as [|x r IH]; intros m H; cbn in H; [contradiction|]. apply in_app_iff in H as [H|H].
    + destruct (is_empty x) eqn:E; [|contradiction]. destruct H as [<-|[]]. now exists [], x, r.
    + apply in_map_iff in H as (m' & <- & H). apply IH in H as (l1 & u & l2 & -> & -> & E). now exists (x :: l1), u, l2.
  - intros (l1 & u & l2 & -> & -> & E). induction l1 as [|x l1 IH]; cbn.
    + rewrite E. now left.
    + apply in_app_iff. right. now apply in_map.
Qed.

Lemma filter_permutes {A} (l m : list A) f : Permutation l m -> length (filter f l) = length (filter f m).
Proof. induction 1; cbn; trivial; [destruct (f x); cbn; auto|destruct (f x), (f y); reflexivity|congruence]. Qed.

Section Noughts.
Context (rule : ending_rule) (R C : nat) (wanted : ending -> bool).
Hypothesis win_wanted : wanted Won = true.
Let G := noughts_with rule R C.
Let goal e := wanted e = true.

Definition marked (l : list level) : noughts_position := (to_move l, fun s => mark_of (holds Empty R C l s)).

Definition three_cells (cells : list (nat * nat * nat)) (l : list level) : bool :=
  let m := other (to_move l) in some_line (fun u v w => holds_mark m u && holds_mark m v && holds_mark m w) cells l.

Definition noughts_moves (l : list level) : list (list level) := puts (written (to_move l)) l.

Definition noughts_standing (cells : list (nat * nat * nat)) (l : list level) : option ending :=
  if three_cells cells l then Some (at_line rule) else match noughts_moves l with [] => Some Drawn | _ => None end.

Definition noughts_now (cells : list (nat * nat * nat)) (l : list level) : bool :=
  match rule with normal => existsb (three_cells cells) (noughts_moves l) | misere => false end.

Lemma three_spec l : three_cells (cell_lines R C) l = true <-> three R C (marked l).
Proof.
  unfold three_cells. rewrite some_line_spec. unfold three, marked. cbn [fst snd].
  split; intros (a & b & c & m & H); exists a, b, c; (split; [exact m|]);
    rewrite !andb_true_iff, !holds_mark_spec in *; tauto.
Qed.

Lemma moves_other l m : In m (noughts_moves l) -> to_move m = other (to_move l) /\ empties m < empties l /\ length m = length l.
Proof.
  intros H. apply in_puts in H as (l1 & u & l2 & E & -> & F). pose proof (mark_of_written (to_move l)) as W.
  unfold to_move at 1, filled, empties. rewrite E at 2 3 4. unfold to_move. rewrite E. unfold filled.
  rewrite !filter_app, !app_length. cbn [filter].
  destruct u; try discriminate. set (w := written _). assert (is_empty w = false) as -> by (unfold w; destruct (Nat.even _); reflexivity).
  cbn [is_empty negb length]. rewrite Nat.add_succ_r, Nat.even_succ, <- Nat.negb_even.
  repeat split; [now destruct (Nat.even _)|lia].
Qed.

Lemma put_changes l m : length l = R * C -> In m (noughts_moves l) -> exists s, on_board R C s /\
  snd (marked l) s = None /\ snd (marked m) s = Some (to_move l) /\ forall t, t <> s -> snd (marked m) t = snd (marked l) t.
Proof.
  intros len H. apply in_puts in H as (l1 & u & l2 & E & -> & F). pose proof len as len'. rewrite E in len'.
  destruct (square_at R C l1 u l2 len') as (s & H & at_s). exists s. split; [exact H|].
  destruct (holds_changed Empty R C l1 u l2 s len' H at_s u) as [was _].
  destruct (holds_changed Empty R C l1 u l2 s len' H at_s (written (to_move l))) as [new others].
  unfold marked. cbn [snd]. rewrite E at 1. rewrite was, new. apply is_empty_spec in F.
  repeat split; [exact F|apply mark_of_written|]. intros t ne. rewrite others by exact ne. now rewrite <- E.
Qed.

Lemma move_put l q : length l = R * C -> move G (marked l) q -> exists m, In m (noughts_moves l) /\
  fst (marked m) = fst q /\ forall t, on_board R C t -> snd (marked m) t = snd q t.
Proof.
  intros len (_ & turn & s & H & was & new & others). unfold marked in was, new, others. cbn [fst snd] in *.
  destruct (split_at Empty R C l s len H) as (l1 & l2 & E & at_s).
  set (m := l1 ++ written (to_move l) :: l2).
  assert (Hm : In m (noughts_moves l)).
  { apply in_puts. exists l1, (holds Empty R C l s), l2. repeat split; [exact E|]. now apply is_empty_spec. }
  exists m. split; [exact Hm|]. split; [cbn [fst marked]; rewrite turn; now apply moves_other|].
  intros t Ht. unfold marked. cbn [snd]. pose proof len as len'. rewrite E in len'.
  destruct (holds_changed Empty R C _ _ _ s len' H at_s (written (to_move l))) as [here there].
  destruct (square_dec t s) as [->|ne].
  - unfold m. rewrite here, new. apply mark_of_written.
  - unfold m. rewrite there, others by exact ne. now rewrite <- E.
Qed.

(** [q] is [p], turned by a symmetry. *)
Definition noughts_image (to : square -> square) (p q : noughts_position) : Prop :=
  fst p = fst q /\ forall s, on_board R C s -> snd q (to s) = snd p s.

Lemma noughts_image_back to back p q : symmetry R C to back -> noughts_image to p q -> noughts_image back q p.
Proof.
  intros y [turn i]. split; [now symmetry|]. intros s H. pose proof (back_board _ _ _ _ y s H) as H'.
  rewrite <- (i (back s) H'). now rewrite (to_back _ _ _ _ y).
Qed.

Lemma noughts_image_three to back p q : symmetry R C to back -> noughts_image to p q -> three R C p -> three R C q.
Proof.
  intros y [turn i] (a & b & c & l & H). pose proof l as (_ & Ha & Hb & Hc). unfold three. rewrite <- turn.
  destruct (image_line _ _ _ _ _ _ _ y l) as [m|m].
  - exists (to a), (to b), (to c). now rewrite !i.
  - exists (to c), (to b), (to a). rewrite !i by assumption. tauto.
Qed.

Lemma noughts_image_move to back p q p' : symmetry R C to back -> noughts_image to p q -> move G p p' ->
  exists q', move G q q' /\ noughts_image to p' q'.
Proof.
  intros y i (open & turn' & s & H & was & new & others). pose proof i as [turn same].
  exists (fst p', fun t => if square_dec t (to s) then Some (fst p) else snd q t). split; [split; [|split]|split; [reflexivity|]].
  - intros T. apply open. exact (noughts_image_three _ _ _ _ (symmetry_back _ _ _ _ y) (noughts_image_back _ _ _ _ y i) T).
  - cbn [fst]. now rewrite turn', turn.
  - exists (to s). cbn [snd]. split; [now apply (to_board _ _ _ _ y)|]. rewrite same by exact H. split; [exact was|].
    split; [destruct (square_dec (to s) (to s)); [now rewrite turn|contradiction]|].
    intros t ne. now destruct (square_dec t (to s)).
  - intros t Ht. cbn [snd]. destruct (square_dec (to t) (to s)) as [e|ne].
    + rewrite <- (back_to _ _ _ _ y t Ht), e, (back_to _ _ _ _ y) by exact H. now rewrite new.
    + rewrite others, same by congruence. reflexivity.
Qed.

Lemma noughts_image_forces to back p q : symmetry R C to back -> noughts_image to p q ->
  (mover_forces (G := G) goal p -> mover_forces (G := G) goal q) /\
  (other_forces (G := G) goal p -> other_forces (G := G) goal q).
Proof.
  intros y. apply (same_value G (noughts_image to) goal).
  - intros p' q' e i [[T ->]|(open & stuck & ->)]; [left|right].
    + split; [eapply noughts_image_three; eauto|reflexivity].
    + pose proof (noughts_image_back _ _ _ _ y i) as i'. pose proof (symmetry_back _ _ _ _ y) as y'.
      split; [intros T; exact (open (noughts_image_three _ _ _ _ y' i' T))|]. split; [|reflexivity].
      intros [r step]. destruct (noughts_image_move _ _ _ _ _ y' i' step) as (s & step' & _). apply stuck. now exists s.
  - intros; eapply noughts_image_move; eauto.
  - intros p' q' r i step.
    destruct (noughts_image_move _ _ _ _ _ (symmetry_back _ _ _ _ y) (noughts_image_back _ _ _ _ y i) step) as (s & step' & i').
    exists s. split; [exact step'|]. exact (noughts_image_back _ _ _ _ (symmetry_back _ _ _ _ y) i').
Qed.

Lemma noughts_open l : noughts_standing (cell_lines R C) l = None ->
  ~ three R C (marked l) /\ exists m, In m (noughts_moves l).
Proof.
  unfold noughts_standing. rewrite <- three_spec. destruct (three_cells _ _); [discriminate|].
  destruct (noughts_moves l) as [|m ms]; [discriminate|]. intros _. split; [discriminate|]. exists m. now left.
Qed.

Lemma put_moves l m : length l = R * C -> ~ three R C (marked l) -> In m (noughts_moves l) -> move G (marked l) (marked m).
Proof.
  intros len open H. split; [exact open|]. split; [now apply moves_other|].
  destruct (put_changes l m len H) as (s & Hs & rest). now exists s.
Qed.

Lemma noughts_faithful : faithful G marked (fun l => length l = R * C) (noughts_standing (cell_lines R C)) noughts_moves
  (noughts_now (cell_lines R C)) (rearrangements R C) wanted.
Proof.
  split.
  - intros l e len S. unfold noughts_standing in S. destruct (three_cells _ _) eqn:E.
    + apply three_spec in E. injection S as <-. now left.
    + destruct (noughts_moves l) eqn:M; [|discriminate]. injection S as <-. right.
      rewrite <- three_spec, E. split; [discriminate|]. split; [|reflexivity]. intros (q & step).
      destruct (move_put l q len step) as (m & Hm & _). rewrite M in Hm. contradiction.
  - intros l _ S. now apply noughts_open.
  - intros l m len H. apply moves_other in H. lia.
  - intros l m len S H. apply noughts_open in S as [open _]. now apply put_moves.
  - intros l q len step. destruct (move_put l q len step) as (m & Hm & turn & same). exists m. split; [exact Hm|].
    apply (noughts_image_forces _ _ (marked m) q (identity R C)). split; [exact turn|]. intros s H. now rewrite same.
  - intros l len S E. apply noughts_open in S as [open _]. 
    assert (N : at_line rule = Lost /\ existsb (three_cells (cell_lines R C)) (noughts_moves l) = true).
    { unfold noughts_now in E. clear - E. destruct rule; [now split|discriminate]. }
    destruct N as [N N']. apply existsb_exists in N' as (m & H & T). apply mover_plays with (marked m); [now apply put_moves|].
    apply other_has with Lost; [left; split; [now apply three_spec|now rewrite N]|exact win_wanted].
  - intros l i len H. apply in_rearrangements in H as (to & back & y & ->).
    now rewrite (Permutation_length (rearranged_permutes R C to back y l len)).
  - intros l i len H. apply in_rearrangements in H as (to & back & y & ->).
    apply (noughts_image_forces back to); [now apply symmetry_back|]. split.
    + unfold marked, to_move, filled. cbn [fst]. pose proof (rearranged_permutes R C to back y l len) as P.
      now rewrite (filter_permutes _ _ _ P).
    + intros s Hs. unfold marked. cbn [snd]. now rewrite (rearranged_holds R C to back y).
Qed.

Lemma noughts_as_long l i : length l = R * C -> In i (rearrangements R C) -> empties (i l) = empties l.
Proof.
  intros len H. apply in_rearrangements in H as (to & back & y & ->). unfold empties.
  pose proof (rearranged_permutes R C to back y l len) as P.
  now apply filter_permutes.
Qed.

Lemma noughts_start : noughts_image (fun s => s) (marked (repeat Empty (R * C))) (start G).
Proof.
  split.
  - unfold marked, to_move, filled. cbn [fst start G noughts_with].
    assert (E : filter (fun v => negb (is_empty v)) (repeat Empty (R * C)) = []) by (induction (R * C); trivial).
    now rewrite E.
  - intros s H. unfold marked. cbn [snd]. rewrite holds_on by exact H. now rewrite nth_repeat.
Qed.
End Noughts.
