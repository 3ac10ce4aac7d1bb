(** Certificates: a list of replies, one for each position in which a player needs one. The test
    [closed] checks the list. The theorem [closed_forces] says that a player who follows a list which passes gets what
    the list claims, against every defence.

    A position is the list of what its squares hold, as in Lists.v; a cross is written red, a nought yellow. *)

From Coq Require Import List Arith Bool Permutation Lia.
From Greenwave Require Import Game Basics Lists Copying.
Import ListNotations.

(** * Sets of positions *)

Inductive trie := Leaf | Node (here : bool) (e r y g : trie).

Definition branch (v : level) (t : trie) : trie :=
  match t, v with Leaf, _ => Leaf | Node _ e _ _ _, Empty => e | Node _ _ r _ _, Red => r
                | Node _ _ _ y _, Yellow => y | Node _ _ _ _ g, Green => g end.

Fixpoint member (l : list level) (t : trie) : bool :=
  match t, l with Leaf, _ => false | Node here _ _ _ _, [] => here | t, v :: l => member l (branch v t) end.

Fixpoint insert (l : list level) (t : trie) : trie :=
  let '(here, e, r, y, g) := match t with Leaf => (false, Leaf, Leaf, Leaf, Leaf) | Node h e r y g => (h, e, r, y, g) end in
  match l with
  | [] => Node true e r y g
  | Empty :: l => Node here (insert l e) r y g
  | Red :: l => Node here e (insert l r) y g
  | Yellow :: l => Node here e r (insert l y) g
  | Green :: l => Node here e r y (insert l g)
  end.

Lemma member_insert l : forall m t, member m (insert l t) = true -> m = l \/ member m t = true.
Proof.
  assert (leaf : forall m, member m Leaf = false) by (intros []; reflexivity).
  induction l as [|v l IH]; intros [|w m] t H.
  - now left.
  - right. destruct t as [|h e r y g]; [destruct w; cbn in H; now rewrite leaf in H|exact H].
  - right. destruct t, v; exact H.
  - destruct v, w, t as [|h e r y g]; cbn [insert member branch] in H; rewrite ?leaf in H; try discriminate;
      try (apply IH in H as [->|H]; [now left|rewrite ?leaf in H; now right]); now right.
Qed.

Definition set_of {A} (key : A -> list level) (l : list A) : trie := fold_left (fun t x => insert (key x) t) l Leaf.

Lemma member_set_of {A} (key : A -> list level) l m : member m (set_of key l) = true -> exists x, In x l /\ key x = m.
Proof.
  unfold set_of. assert (all : forall l t, member m (fold_left (fun t x => insert (key x) t) l t) = true ->
    (exists x, In x l /\ key x = m) \/ member m t = true).
  { clear l. induction l as [|x l IH]; intros t H; cbn in H; [now right|].
    apply IH in H as [(y & H & E)|H]; [left; exists y; cbn; auto|].
    apply member_insert in H as [->|H]; [left; exists x; cbn; auto|now right]. }
  intros H. apply all in H as [|H]; [assumption|]. destruct m; discriminate.
Qed.

(** * The checker, for any game with positions that are lists *)

Section Checker.
Context (G : game) (read : list level -> position G) (fine : list level -> Prop).
(** How a position stands if it is finished, where moves lead, a quick test for a move that ends the game as wanted, and
    positions that have the same value. *)
Context (standing : list level -> option ending) (moves : list level -> list (list level)).
Context (ends_now : list level -> bool) (images : list (list level -> list level)).
Context (wanted : ending -> bool).
Let goal e := wanted e = true.

Record faithful : Prop := {
  standing_right l e : fine l -> standing l = Some e -> ended G (read l) e;
  standing_none l : fine l -> standing l = None -> exists m, In m (moves l);
  moves_fine l m : fine l -> In m (moves l) -> fine m;
  moves_right l m : fine l -> standing l = None -> In m (moves l) -> move G (read l) (read m);
  moves_all l q : fine l -> move G (read l) q -> exists m, In m (moves l) /\
    (mover_forces goal (read m) -> mover_forces goal q);
  ends_now_right l : fine l -> standing l = None -> ends_now l = true ->
    mover_forces goal (read l);
  images_fine l i : fine l -> In i images -> fine (i l);
  images_right l i : fine l -> In i images -> mover_forces goal (read (i l)) -> mover_forces goal (read l)
}.

(** What is left of the game: moves make it shorter, images do not. *)
Context (size : list level -> nat).
Hypothesis shorter : forall l m, In m (moves l) -> size m < size l.
Hypothesis as_long : forall l i, fine l -> In i images -> size (i l) = size l.

Section Closed.
(** The positions that have a reply. *)
Context (listed : list level -> bool).

(** The player to move gets what is wanted: it is there, or one move away, or the position is listed. *)
Definition answered (l : list level) : bool :=
  match standing l with
  | Some e => wanted e
  | None => ends_now l || existsb (fun i => listed (i l)) images
  end.

(** The other player does, whatever the player to move plays. *)
Definition covered (l : list level) : bool :=
  match standing l with
  | Some e => wanted (turned e)
  | None => forallb answered (moves l)
  end.
End Closed.

Fixpoint same (l m : list level) : bool :=
  match l, m with
  | [], [] => true
  | u :: l, v :: m => if level_dec u v then same l m else false
  | _, _ => false
  end.

Lemma same_spec l m : same l m = true -> l = m.
Proof.
  revert m. induction l as [|u l IH]; intros [|v m]; cbn; try discriminate; trivial.
  destruct (level_dec u v) as [->|]; [|discriminate]. intros H. f_equal. now apply IH.
Qed.

(** A list of positions, each with the position after the reply. *)
Definition entry : Type := list level * list level.

Definition entry_right (listed : list level -> bool) (x : entry) : bool :=
  match standing (fst x) with Some _ => false | None => existsb (same (snd x)) (moves (fst x)) && covered listed (snd x) end.

(** The first entry that is wrong. *)
Definition wrong (listed : list level -> bool) (entries : list entry) : option entry :=
  find (fun x => negb (entry_right listed x)) entries.

Hypothesis honest : faithful.
Context (entries : list entry).
Let listed l := member l (set_of fst entries).
Hypothesis none_wrong : wrong listed entries = None.

Lemma covered_forces l : fine l ->
  (forall m, fine m -> size m < size l -> listed m = true -> mover_forces goal (read m)) ->
  covered listed l = true -> other_forces goal (read l).
Proof.
  intros ok IH H. unfold covered in H. destruct (standing l) as [e|] eqn:S.
  { apply other_has with e; [now apply (standing_right honest)|exact H]. }
  apply other_waits.
  - destruct (standing_none honest l ok S) as (m & Hm). exists (read m). now apply (moves_right honest).
  - intros q step. destruct (moves_all honest l q ok step) as (m & Hm & enough). apply enough.
    rewrite forallb_forall in H. specialize (H m Hm). unfold answered in H.
    pose proof (moves_fine honest l m ok Hm) as ok'.
    destruct (standing m) as [e|] eqn:S'.
    { apply mover_has with e; [now apply (standing_right honest)|exact H]. }
    apply orb_true_iff in H as [H|H]; [now apply (ends_now_right honest)|].
    apply existsb_exists in H as (i & Hi & H). apply (images_right honest m i ok' Hi).
    apply IH; [now apply (images_fine honest)| |exact H]. rewrite (as_long m i ok' Hi). now apply shorter.
Qed.

Theorem listed_forces l : fine l -> listed l = true -> mover_forces goal (read l).
Proof.
  assert (all : forall n l, size l < n -> fine l -> listed l = true -> mover_forces goal (read l)).
  { induction n as [|n IH]; intros k less ok H; [lia|].
    apply member_set_of in H as ([k' m] & Hx & E). cbn in E. subst k'.
    assert (right : entry_right listed (k, m) = true).
    { apply negb_false_iff. exact (find_none _ _ none_wrong _ Hx). }
    unfold entry_right in right. cbn [fst snd] in right. destruct (standing k) eqn:S; [discriminate|].
    apply andb_true_iff in right as [legal good]. apply existsb_exists in legal as (m' & Hm & E). apply same_spec in E. subst m'.
    apply mover_plays with (read m); [now apply (moves_right honest)|].
    apply covered_forces; [now apply (moves_fine honest) with k| |exact good].
    intros o ok' less' H'. apply IH; trivial. pose proof (shorter k m Hm). lia. }
  intros ok H. apply (all (S (size l)) l); auto.
Qed.

(** The player to move, and the other, from a position. *)
Theorem answered_forces l : fine l -> answered listed l = true -> mover_forces goal (read l).
Proof.
  intros ok H. unfold answered in H. destruct (standing l) as [e|] eqn:S.
  { apply mover_has with e; [now apply (standing_right honest)|exact H]. }
  apply orb_true_iff in H as [H|H]; [now apply (ends_now_right honest)|].
  apply existsb_exists in H as (i & Hi & H). apply (images_right honest l i ok Hi).
  apply listed_forces; [now apply (images_fine honest)|exact H].
Qed.

Theorem covered_all l : fine l -> covered listed l = true -> other_forces goal (read l).
Proof. intros ok. apply covered_forces; trivial. intros. now apply listed_forces. Qed.
End Checker.

(** * Symmetries of the board, as rearrangements of lists *)

Definition mirror_files (C : nat) (s : square) : square := (C - 1 - fst s, snd s).
Definition mirror_ranks (R : nat) (s : square) : square := (fst s, R - 1 - snd s).
Definition transpose (s : square) : square := (snd s, fst s).

Definition turnings (R C : nat) : list (square -> square) :=
  let rectangle := [(fun s => s); mirror_files C; mirror_ranks R; half_turn R C] in
  rectangle ++ if R =? C then map (fun f s => f (transpose s)) rectangle else [].

Lemma line_same a b c a' b' c' : line a b c -> a = a' -> b = b' -> c = c' -> line a' b' c'.
Proof. congruence. Qed.

Lemma mirror_files_symmetry R C : symmetry R C (mirror_files C) (mirror_files C).
Proof.
  split.
  1-2: intros [f r]; unfold on_board, mirror_files; cbn [fst snd]; lia.
  1-2: intros [f r]; unfold on_board, mirror_files; cbn [fst snd]; intros H; f_equal; lia.
  all: intros a b c ([f r|f r|f r|f r] & Ha & Hb & Hc); unfold on_board, mirror_files in *; cbn [fst snd] in *;
    [right; apply line_same with (1 := east (C - 1 - (2 + f)) r)
    |left; apply line_same with (1 := north (C - 1 - f) r)
    |right; apply line_same with (1 := south_east (C - 1 - (2 + f)) r)
    |right; apply line_same with (1 := north_east (C - 1 - (2 + f)) r)]; f_equal; lia.
Qed.

Lemma mirror_ranks_symmetry R C : symmetry R C (mirror_ranks R) (mirror_ranks R).
Proof.
  split.
  1-2: intros [f r]; unfold on_board, mirror_ranks; cbn [fst snd]; lia.
  1-2: intros [f r]; unfold on_board, mirror_ranks; cbn [fst snd]; intros H; f_equal; lia.
  all: intros a b c ([f r|f r|f r|f r] & Ha & Hb & Hc); unfold on_board, mirror_ranks in *; cbn [fst snd] in *;
    [left; apply line_same with (1 := east f (R - 1 - r))
    |right; apply line_same with (1 := north f (R - 1 - (2 + r)))
    |left; apply line_same with (1 := south_east f (R - 1 - (2 + r)))
    |left; apply line_same with (1 := north_east f (R - 1 - (2 + r)))]; f_equal; lia.
Qed.

Lemma transpose_symmetry R : symmetry R R transpose transpose.
Proof.
  split.
  1-2: intros [f r]; unfold on_board, transpose; cbn [fst snd]; lia.
  1-2: intros [f r]; reflexivity.
  all: intros a b c ([f r|f r|f r|f r] & _); unfold transpose; cbn [fst snd];
    [left; constructor|left; constructor|left; constructor|right; constructor].
Qed.

Lemma symmetry_after R C f f' g g' : symmetry R C f f' -> symmetry R C g g' ->
  symmetry R C (fun s => f (g s)) (fun s => g' (f' s)).
Proof.
  intros yf yg.
  assert (there : forall a b c h h' k k', symmetry R C h h' -> symmetry R C k k' -> board_line R C a b c ->
    line (h (k a)) (h (k b)) (h (k c)) \/ line (h (k c)) (h (k b)) (h (k a))).
  { intros a b c h h' k k' yh yk l. destruct (image_line _ _ _ _ _ _ _ yk l) as [l'|l'];
      destruct (to_line _ _ _ _ yh _ _ _ l'); auto. }
  split.
  - intros s H. now apply (to_board _ _ _ _ yf), (to_board _ _ _ _ yg).
  - intros s H. now apply (back_board _ _ _ _ yg), (back_board _ _ _ _ yf).
  - intros s H. rewrite (back_to _ _ _ _ yf) by now apply (to_board _ _ _ _ yg). now apply (back_to _ _ _ _ yg).
  - intros s H. rewrite (to_back _ _ _ _ yg) by now apply (back_board _ _ _ _ yf). now apply (to_back _ _ _ _ yf).
  - intros a b c. now apply there with f' g'.
  - intros a b c. now apply there with g f; apply symmetry_back.
Qed.

Lemma turnings_right R C back : In back (turnings R C) -> exists to, symmetry R C to back.
Proof.
  intros H. unfold turnings in H. apply in_app_iff in H as [H|H].
  - destruct H as [<-|[<-|[<-|[<-|[]]]]];
      eauto using identity, mirror_files_symmetry, mirror_ranks_symmetry, half_turn_symmetry.
  - destruct (Nat.eqb_spec R C) as [<-|]; [|contradiction].
    assert (all : forall f, symmetry R R f f -> exists to, symmetry R R to (fun s => f (transpose s))).
    { intros f y. exists (fun s => transpose (f s)). apply symmetry_back.
      exact (symmetry_after R R f f transpose transpose y (transpose_symmetry R)). }
    destruct H as [<-|[<-|[<-|[<-|[]]]]].
    + exact (all _ (identity R R)).
    + exact (all _ (mirror_files_symmetry R R)).
    + exact (all _ (mirror_ranks_symmetry R R)).
    + exact (all _ (half_turn_symmetry R R)).
Qed.

(** Each square gets what another one held. *)
Definition rearranged (order : list nat) (l : list level) : list level := map (fun i => nth i l Empty) order.
Definition orders (R C : nat) : list (list nat) := map (fun back => map (fun s => cell C (back s)) (squares R C)) (turnings R C).
Definition rearrangements (R C : nat) : list (list level -> list level) := map rearranged (orders R C).

Section Rearranged.
Context (R C : nat) (to back : square -> square).
Hypothesis y : symmetry R C to back.
Let order := map (fun s => cell C (back s)) (squares R C).

Lemma rearranged_holds l : length l = R * C -> forall s, on_board R C s ->
  holds Empty R C (rearranged order l) s = holds Empty R C l (back s).
Proof.
  intros len s H. pose proof (back_board _ _ _ _ y s H) as H'.
  rewrite !holds_on by assumption. unfold rearranged, order. rewrite map_map.
  pose proof (cell_less R C s H) as less.
  assert (at_s : nth (cell C s) (squares R C) s = s).
  { apply (cell_same R C); [|exact H|].
    - apply in_squares. apply nth_In. rewrite <- (map_length (cell C)), cells_in_order, seq_length. exact less.
    - rewrite <- (map_nth (cell C)), cells_in_order. rewrite seq_nth by exact less. reflexivity. }
  rewrite (nth_indep _ Empty (nth (cell C (back s)) l Empty)).
  - rewrite (map_nth (fun x => nth (cell C (back x)) l Empty) _ s). now rewrite at_s.
  - rewrite map_length, <- (map_length (cell C)), cells_in_order, seq_length. exact less.
Qed.

Lemma rearranged_permutes l : length l = R * C -> Permutation (rearranged order l) l.
Proof.
  intros len. rewrite <- (holds_all Empty R C l len) at 2.
  assert (E : rearranged order l = map (holds Empty R C l) (map back (squares R C))).
  { unfold rearranged, order. rewrite !map_map. apply map_ext_in. intros s H. apply in_squares in H.
    rewrite holds_on; [reflexivity|now apply (back_board _ _ _ _ y)]. }
  rewrite E. apply Permutation_map.
  assert (once : NoDup (squares R C)) by (apply (NoDup_map_inv (cell C)); rewrite cells_in_order; apply seq_NoDup).
  apply NoDup_Permutation; trivial.
  - apply (NoDup_map_inv to). rewrite map_map, (map_ext_in _ (fun s => s)), map_id; [exact once|].
    intros s H. apply in_squares in H. now apply (to_back _ _ _ _ y).
  - intros s. rewrite in_map_iff, in_squares. split.
    + intros (t & <- & H). apply in_squares in H. now apply (back_board _ _ _ _ y).
    + intros H. exists (to s). rewrite in_squares. split; [now apply (back_to _ _ _ _ y)|now apply (to_board _ _ _ _ y)].
Qed.
End Rearranged.

Lemma in_rearrangements R C i : In i (rearrangements R C) -> exists to back, symmetry R C to back /\
  i = rearranged (map (fun s => cell C (back s)) (squares R C)).
Proof.
  intros H. apply in_map_iff in H as (o & <- & H). apply in_map_iff in H as (back & <- & H).
  destruct (turnings_right R C back H) as (to & y). eauto.
Qed.

Definition cell_lines (R C : nat) : list (nat * nat * nat) :=
  map (fun '(a, b, c) => (cell C a, cell C b, cell C c)) (lines R C).

(** Some line holds what a test asks for. *)
Definition some_line (test : level -> level -> level -> bool) (cells : list (nat * nat * nat)) (l : list level) : bool :=
  existsb (fun '(i, j, k) => test (nth i l Empty) (nth j l Empty) (nth k l Empty)) cells.

Lemma some_line_spec test R C l : some_line test (cell_lines R C) l = true <-> exists a b c, board_line R C a b c /\
  test (holds Empty R C l a) (holds Empty R C l b) (holds Empty R C l c) = true.
Proof.
  unfold some_line, cell_lines. rewrite existsb_exists. split.
  - intros (t & H & T). apply in_map_iff in H as ([[a b] c] & <- & H). apply in_lines in H.
    exists a, b, c. split; [exact H|]. destruct H as (_ & Ha & Hb & Hc). now rewrite !holds_on.
  - intros (a & b & c & H & T). exists (cell C a, cell C b, cell C c). split.
    + apply in_map_iff. exists (a, b, c). split; [reflexivity|now apply in_lines].
    + destruct H as (_ & Ha & Hb & Hc). now rewrite !holds_on in T.
Qed.

(** * Lights *)

Section LightsChecker.
Context (patterns : list pattern) (rule : ending_rule) (R C : nat) (wanted : ending -> bool).
Hypothesis both_ways : reversible patterns.
Hypothesis win_wanted : wanted Won = true.
Let G := lights patterns rule R C.
Let goal e := wanted e = true.

Definition shows (u v w : level) : bool := among patterns (u, v, w).

Definition lights_standing (cells : list (nat * nat * nat)) (l : list level) : option ending :=
  if some_line shows cells l then Some (at_line rule)
  else match raises l with [] => Some Drawn | _ => None end.

Definition lights_now (cells : list (nat * nat * nat)) (l : list level) : bool :=
  match rule with normal => some_line (nearlyb patterns) cells l | misere => false end.

Definition lights_size (l : list level) : nat := list_sum (map steps l).

Lemma lights_completed l : some_line shows (cell_lines R C) l = true <-> completed patterns R C (shown R C l).
Proof.
  rewrite some_line_spec. unfold completed, shows, shown.
  split; intros (a & b & c & m & H); exists a, b, c; (split; [exact m|]); now apply among_spec.
Qed.

Lemma lights_shorter l m : In m (raises l) -> lights_size m < lights_size l.
Proof.
  intros H. apply in_raises in H as (l1 & u & v & l2 & -> & -> & N). apply next_steps in N.
  unfold lights_size. rewrite !map_app, !list_sum_app. cbn. unfold list_sum in *. lia.
Qed.

Lemma lights_open l : lights_standing (cell_lines R C) l = None ->
  ~ completed patterns R C (shown R C l) /\ exists m, In m (raises l).
Proof.
  unfold lights_standing. rewrite <- lights_completed. destruct (some_line _ _ _); [discriminate|].
  destruct (raises l) as [|m ms]; [discriminate|]. intros _. split; [discriminate|]. exists m. now left.
Qed.

Lemma lights_faithful : faithful G (shown R C) (fun l => length l = R * C) (lights_standing (cell_lines R C)) raises
  (lights_now (cell_lines R C)) (rearrangements R C) wanted.
Proof.
  split.
  - intros l e len S. unfold lights_standing in S. destruct (some_line _ _ _) eqn:E.
    + apply lights_completed in E. injection S as <-. now left.
    + destruct (raises l) eqn:M; [|discriminate]. injection S as <-. right.
      rewrite <- lights_completed, E. split; [discriminate|]. split; [|reflexivity]. intros (q & _ & s & H & up).
      destruct (raised_raises R C l s q len H up) as (m & Hm & _). rewrite M in Hm. contradiction.
  - intros l _ S. now apply lights_open.
  - intros l m len H. now rewrite (raises_length l m H).
  - intros l m len S H. apply lights_open in S as [open _]. split; [exact open|]. now apply raises_raised.
  - intros l q len (_ & s & H & up). destruct (raised_raises R C l s q len H up) as (m & Hm & same_q).
    exists m. split; [exact Hm|]. apply (alike_forces patterns rule R C); trivial. intros t Ht. now rewrite same_q.
  - intros l len S E. apply lights_open in S as [open _]. unfold lights_now in E. destruct rule eqn:D; [|discriminate].
    apply some_line_spec in E as (a & b & c & m & n). apply nearlyb_spec in n.
    destruct (complete_threat patterns R C (shown R C l) open) as (q & step & done); [now exists a, b, c|].
    apply mover_plays with q; [exact step|]. apply other_has with Lost; [left; subst; auto|exact win_wanted].
  - intros l i len H. apply in_rearrangements in H as (to & back & y & ->).
    now rewrite (Permutation_length (rearranged_permutes R C to back y l len)).
  - intros l i len H. apply in_rearrangements in H as (to & back & y & ->).
    apply (image_forces patterns rule R C both_ways back to); [now apply symmetry_back|].
    intros s Hs. unfold shown. now rewrite (rearranged_holds R C to back y).
Qed.

Lemma lights_as_long l i : length l = R * C -> In i (rearrangements R C) -> lights_size (i l) = lights_size l.
Proof.
  intros len H. apply in_rearrangements in H as (to & back & y & ->). unfold lights_size.
  now rewrite (rearranged_permutes R C to back y l len).
Qed.
End LightsChecker.
