(** Positions written as lists: what each square holds, in listing order (a1, b1, …). Tables and certificates
    compute with these. *)

From Coq Require Import List Arith Bool Lia.
From Greenwave Require Import Game Basics.
Import ListNotations.

Section Lists.
Context {A : Type} (none : A) (R C : nat).

Definition cell (s : square) : nat := fst s + C * snd s.

(** The entry of a square in the list; off the board there is none. *)
Definition holds (l : list A) (s : square) : A := if on_boardb R C s then nth (cell s) l none else none.

Lemma holds_on l s : on_board R C s -> holds l s = nth (cell s) l none.
Proof. intros H. unfold holds. apply on_boardb_spec in H. now rewrite H. Qed.

Lemma cell_less s : on_board R C s -> cell s < R * C.
Proof. destruct s as [f r]. unfold on_board, cell. cbn [fst snd]. nia. Qed.

Lemma cell_same s t : on_board R C s -> on_board R C t -> cell s = cell t -> s = t.
Proof.
  destruct s as [f r], t as [f' r']. unfold on_board, cell. cbn [fst snd]. intros.
  assert (r = r') by nia. subst. f_equal. lia.
Qed.

Lemma cell_square i : i < R * C -> exists s, on_board R C s /\ cell s = i.
Proof.
  intros H. assert (C <> 0) by lia. exists (i mod C, i / C). unfold on_board, cell. cbn [fst snd]. repeat split.
  - now apply Nat.mod_upper_bound.
  - apply Nat.div_lt_upper_bound; lia.
  - rewrite (Nat.div_mod i C) at 3 by assumption. lia.
Qed.

(** Changing one entry changes one square. *)
Lemma holds_changed l1 u l2 s : length (l1 ++ u :: l2) = R * C -> on_board R C s -> cell s = length l1 -> forall v,
  holds (l1 ++ v :: l2) s = v /\ forall t, t <> s -> holds (l1 ++ v :: l2) t = holds (l1 ++ u :: l2) t.
Proof.
  intros len H at_s v. split.
  - rewrite holds_on by exact H. rewrite at_s. apply nth_middle.
  - intros t ne. unfold holds. destruct (on_boardb R C t) eqn:E; [|reflexivity]. apply on_boardb_spec in E.
    assert (cell t <> length l1) by (intros e; apply ne; apply cell_same; congruence).
    destruct (le_lt_dec (length l1) (cell t)).
    + rewrite !app_nth2 by lia. now replace (cell t - length l1) with (S (cell t - length l1 - 1)) by lia.
    + now rewrite !app_nth1 by lia.
Qed.

Lemma split_at l s : length l = R * C -> on_board R C s -> exists l1 l2, l = l1 ++ holds l s :: l2 /\ cell s = length l1.
Proof.
  intros len H. rewrite holds_on by exact H.
  destruct (nth_split l none (n := cell s)) as (l1 & l2 & E & E1).
  - rewrite len. now apply cell_less.
  - eauto.
Qed.

Lemma square_at (l1 : list A) u l2 : length (l1 ++ u :: l2) = R * C -> exists s, on_board R C s /\ cell s = length l1.
Proof. rewrite app_length. cbn. intros len. apply cell_square. lia. Qed.

Lemma row_cells m k b : map (fun f => f + m) (seq b k) = seq (b + m) k.
Proof. revert b. induction k as [|k IH]; intros b; cbn; [reflexivity|]. now rewrite IH. Qed.

Lemma cells_in_order : map cell (squares R C) = seq 0 (R * C).
Proof.
  assert (rows : forall k a, map cell (flat_map (fun r => map (fun f => (f, r)) (seq 0 C)) (seq a k)) = seq (C * a) (k * C)).
  { induction k as [|k IH]; intros a; [reflexivity|].
    cbn [seq flat_map]. rewrite map_app, map_map. replace (S k * C) with (C + k * C) by lia. rewrite seq_app. f_equal.
    - exact (row_cells (C * a) C 0).
    - rewrite IH. f_equal. lia. }
  unfold squares. rewrite rows. f_equal. lia.
Qed.

(** The list is what the squares hold, in order. *)
Lemma holds_all l : length l = R * C -> map (holds l) (squares R C) = l.
Proof.
  intros len. rewrite (map_ext_in _ (fun s => nth (cell s) l none)).
  2: { intros s H. apply in_squares in H. now apply holds_on. }
  rewrite <- (map_map cell (fun i => nth i l none)), cells_in_order, <- len.
  clear. induction l as [|x l IH]; [reflexivity|]. cbn [length seq map nth]. f_equal.
  rewrite <- seq_shift, map_map. exact IH.
Qed.
End Lists.

(** * Lights *)

Section LightsLists.
Context (patterns : list pattern) (rule : ending_rule) (R C : nat).
Let G := lights patterns rule R C.

Definition shown (l : list level) : lights_position := holds Empty R C l.

(** Every way to raise one level of a list. *)
Fixpoint raises (l : list level) : list (list level) :=
  match l with
  | [] => []
  | v :: r => match next v with Some w => [w :: r] | None => [] end ++ map (cons v) (raises r)
  end.

Lemma in_raises l m : In m (raises l) <-> exists l1 u v l2, l = l1 ++ u :: l2 /\ m = l1 ++ v :: l2 /\ next u = Some v.
Proof.
  split.
  - revert m. induction l as [|x r IH]; intros m H; cbn in H; [contradiction|]. apply in_app_iff in H as [H|H].
    + destruct (next x) as [w|] eqn:N; [|contradiction]. destruct H as [<-|[]]. now exists [], x, w, r.
    + apply in_map_iff in H as (m' & <- & H). apply IH in H as (l1 & u & v & l2 & -> & -> & N).
      now exists (x :: l1), u, v, l2.
  - intros (l1 & u & v & l2 & -> & -> & N). induction l1 as [|x l1 IH]; cbn.
    + rewrite N. now left.
    + apply in_app_iff. right. now apply in_map.
Qed.

Lemma raises_length l m : In m (raises l) -> length m = length l.
Proof. intros H. apply in_raises in H as (l1 & u & v & l2 & -> & -> & _). now rewrite !app_length. Qed.

Lemma raises_raised l m : length l = R * C -> In m (raises l) -> exists s, on_board R C s /\ raised s (shown l) (shown m).
Proof.
  intros len H. apply in_raises in H as (l1 & u & v & l2 & -> & -> & N).
  destruct (square_at R C l1 u l2 len) as (s & H & at_s). exists s. split; [exact H|].
  destruct (holds_changed Empty R C l1 u l2 s len H at_s u) as [same _].
  destruct (holds_changed Empty R C l1 u l2 s len H at_s v) as [new others].
  unfold raised, shown. rewrite same, new. auto.
Qed.

Lemma raised_raises l s q : length l = R * C -> on_board R C s -> raised s (shown l) q ->
  exists m, In m (raises l) /\ alike R C q (shown m).
Proof.
  intros len H [N same]. destruct (split_at Empty R C l s len H) as (l1 & l2 & E & at_s). fold (shown l) in E.
  exists (l1 ++ q s :: l2). split.
  { apply in_raises. exists l1, (shown l s), (q s), l2. auto. }
  pose proof len as len'. rewrite E in len'.
  destruct (holds_changed Empty R C _ _ _ s len' H at_s (q s)) as [new others].
  intros t Ht. unfold shown at 1. destruct (square_dec t s) as [->|ne]; [now rewrite new|].
  rewrite others, same by exact ne. now rewrite <- E.
Qed.

(** Positions that look alike have the same value. *)
Lemma alike_forces goal p q : reversible patterns -> alike R C p q ->
  (mover_forces (G := G) goal p -> mover_forces (G := G) goal q) /\
  (other_forces (G := G) goal p -> other_forces (G := G) goal q).
Proof.
  intros both same. apply (image_forces patterns rule R C both _ _ goal p q (identity R C)).
  intros s H. now rewrite same.
Qed.

Lemma start_shown : alike R C (shown (repeat Empty (R * C))) (start G).
Proof. intros s H. unfold shown. rewrite holds_on by exact H. apply nth_repeat. Qed.
End LightsLists.
