(** First facts: lists of all squares and lines, what can be decided, that every play ends, that nobody both wins
    and loses, and that symmetries of a board change nothing. *)

From Coq Require Import List Arith Bool Lia.
From Greenwave Require Import Game.
Import ListNotations.

(** * Any game *)

(** A finished game stands in one way and has no more moves. *)
Definition ends_once (G : game) : Prop :=
  forall p e, ended G p e -> (forall q, ~ move G p q) /\ forall f, ended G p f -> f = e.

Scheme mover_ind := Minimality for mover_forces Sort Prop
  with other_ind := Minimality for other_forces Sort Prop.
Combined Scheme forces_ind from mover_ind, other_ind.

(** Two players cannot force what excludes each other: so nobody wins a draw, and nobody wins and loses. *)
Lemma mover_excludes_other G (mine his : ending -> Prop) :
  ends_once G -> (forall e, mine e -> his (turned e) -> False) ->
  forall p, mover_forces (G := G) mine p -> other_forces (G := G) his p -> False.
Proof.
  intros once apart.
  assert (turned_twice : forall e, turned (turned e) = e) by (intros []; reflexivity).
  enough (both : (forall p, mover_forces (G := G) mine p -> other_forces (G := G) his p -> False) /\
                 (forall p, other_forces (G := G) mine p -> mover_forces (G := G) his p -> False)) by apply both.
  apply forces_ind.
  - intros q e over wanted o. destruct (once q e over) as [stop same]. destruct o as [q f over' wanted'|q [r step] _].
    + rewrite (same f over') in wanted'. eauto.
    + exact (stop r step).
  - intros q r step _ IH o. destruct o as [q e over _|q _ all].
    + destruct (once q e over) as [stop _]. exact (stop r step).
    + auto.
  - intros q e over wanted m. destruct (once q e over) as [stop same]. destruct m as [q f over' wanted'|q r step _].
    + rewrite (same f over') in wanted'. apply (apart _ wanted). now rewrite turned_twice.
    + exact (stop r step).
  - intros q [r step] _ IH m. destruct m as [q e over _|q r' step' o].
    + destruct (once q e over) as [stop _]. exact (stop r step).
    + exact (IH r' step' o).
Qed.

Theorem not_both G (p : position G) : ends_once G -> mover_wins p -> mover_loses p -> False.
Proof. intros once. apply mover_excludes_other; trivial.
  unfold win. intros e -> E. discriminate. Qed.

(** Positions that move and end alike have the same value. *)
Theorem same_value G (same : position G -> position G -> Prop) goal :
  (forall p q e, same p q -> ended G p e -> ended G q e) ->
  (forall p q p', same p q -> move G p p' -> exists q', move G q q' /\ same p' q') ->
  (forall p q q', same p q -> move G q q' -> exists p', move G p p' /\ same p' q') ->
  forall p q, same p q ->
    (mover_forces goal p -> mover_forces goal q) /\ (other_forces goal p -> other_forces goal q).
Proof.
  intros ends there back.
  enough (both : (forall p, mover_forces goal p -> forall q, same p q -> mover_forces goal q) /\
                 (forall p, other_forces goal p -> forall q, same p q -> other_forces goal q))
    by (intros p q y; split; intros f; [exact (proj1 both p f q y)|exact (proj2 both p f q y)]).
  apply forces_ind.
  - intros p e over wanted q y. apply mover_has with e; [exact (ends p q e y over)|exact wanted].
  - intros p p' step _ IH q y. destruct (there p q p' y step) as (q' & step' & y'). apply mover_plays with q'; auto.
  - intros p e over wanted q y. apply other_has with e; [exact (ends p q e y over)|exact wanted].
  - intros p (p' & step) _ IH q y. apply other_waits.
    + destruct (there p q p' y step) as (q' & step' & _). now exists q'.
    + intros q' step'. destruct (back p q q' y step') as (r & step'' & y'). exact (IH r step'' q' y').
Qed.

(** * Squares and lines *)

Lemma square_dec (s t : square) : {s = t} + {s <> t}.
Proof. decide equality; apply Nat.eq_dec. Defined.

Definition on_boardb (R C : nat) (s : square) : bool := (fst s <? C) && (snd s <? R).

Lemma on_boardb_spec R C s : on_boardb R C s = true <-> on_board R C s.
Proof. unfold on_boardb, on_board. rewrite andb_true_iff, !Nat.ltb_lt. reflexivity. Qed.

(** All squares, in listing order: a1, b1, … *)
Definition squares (R C : nat) : list square := flat_map (fun r => map (fun f => (f, r)) (seq 0 C)) (seq 0 R).

Lemma in_squares R C s : In s (squares R C) <-> on_board R C s.
Proof.
  destruct s as [f r]. unfold squares, on_board. rewrite in_flat_map. cbn. split.
  - intros (r' & Hr & Hf). apply in_map_iff in Hf as (f' & E & Hf). injection E as -> ->.
    apply in_seq in Hr, Hf. lia.
  - intros [Hf Hr]. exists r. rewrite in_seq, in_map_iff. split; [lia|].
    exists f. rewrite in_seq. split; [reflexivity|lia].
Qed.

Definition triple : Set := square * square * square.

Definition lines (R C : nat) : list triple :=
  filter (fun '(a, b, c) => on_boardb R C a && on_boardb R C b && on_boardb R C c)
    (flat_map (fun '(f, r) => [((f, r), (1 + f, r), (2 + f, r)); ((f, r), (f, 1 + r), (f, 2 + r));
                               ((f, r), (1 + f, 1 + r), (2 + f, 2 + r)); ((f, 2 + r), (1 + f, 1 + r), (2 + f, r))])
      (squares R C)).

Lemma in_lines R C a b c : In (a, b, c) (lines R C) <-> board_line R C a b c.
Proof.
  unfold lines, board_line. rewrite filter_In, !andb_true_iff, !on_boardb_spec, in_flat_map. split.
  - intros (([f r] & _ & H) & ((Ha & Hb) & Hc)).
    repeat split; try apply Ha; try apply Hb; try apply Hc.
    cbn in H. repeat destruct H as [H|H]; try (injection H as <- <- <-; constructor). contradiction.
  - intros (l & Ha & Hb & Hc). split; [|tauto].
    destruct l as [f r|f r|f r|f r]; exists (f, r); rewrite in_squares;
      (split; [unfold on_board in *; cbn in *; lia | cbn; tauto]).
Qed.

Lemma line_distinct a b c : line a b c -> a <> b /\ b <> c /\ a <> c.
Proof. intros []; repeat split; intros E; injection E; lia. Qed.

(** * Levels and patterns *)

Lemma level_dec (u v : level) : {u = v} + {u <> v}.
Proof. decide equality. Defined.

Lemma pattern_dec (u v : pattern) : {u = v} + {u <> v}.
Proof. repeat (decide equality; try apply level_dec). Defined.

Definition among (patterns : list pattern) (u : pattern) : bool := if in_dec pattern_dec u patterns then true else false.

Lemma among_spec patterns u : among patterns u = true <-> In u patterns.
Proof. unfold among. destruct (in_dec _ _ _); intuition discriminate. Qed.

(** Patterns read the same from either end. *)
Definition reversible (patterns : list pattern) : Prop := forall u v w, In (u, v, w) patterns -> In (w, v, u) patterns.

Ltac reversed := intros u v w H; cbn in *; repeat destruct H as [H|H]; try contradiction; injection H as <- <- <-; tauto.

Lemma classic_reversible : reversible classic_patterns.
Proof. reversed. Qed.
Lemma signal_reversible : reversible signal_patterns.
Proof. reversed. Qed.
Lemma green_reversible : reversible green_patterns.
Proof. reversed. Qed.

(** * Lights *)

Section Lights.
Context (patterns : list pattern) (rule : ending_rule) (R C : nat).
Let G := lights patterns rule R C.

Definition completedb (p : lights_position) : bool :=
  existsb (fun '(a, b, c) => among patterns (p a, p b, p c)) (lines R C).

Lemma completedb_spec p : completedb p = true <-> completed patterns R C p.
Proof.
  unfold completedb, completed. rewrite existsb_exists. split.
  - intros ([[a b] c] & H & A). apply in_lines in H. apply among_spec in A. eauto.
  - intros (a & b & c & H & A). exists (a, b, c). rewrite in_lines, among_spec. auto.
Qed.

Lemma completed_dec p : completed patterns R C p \/ ~ completed patterns R C p.
Proof. rewrite <- completedb_spec. destruct (completedb p); auto. Qed.

Theorem lights_end_once : ends_once G.
Proof.
  intros p e [[done ->]|(open & stuck & ->)]; split; cbn.
  - intros q [no _]. auto.
  - intros f [[_ ->]|[no _]]; [reflexivity|contradiction].
  - intros q step. eauto.
  - intros f [[done _]|(_ & _ & ->)]; [contradiction|reflexivity].
Qed.

Definition set (s : square) (v : level) (p : lights_position) : lights_position :=
  fun t => if square_dec t s then v else p t.

Lemma set_raises s v p : next (p s) = Some v -> raised s p (set s v p).
Proof.
  intros N. unfold raised, set. destruct (square_dec s s); [|contradiction].
  split; [exact N|]. intros t other. destruct (square_dec t s); [contradiction|reflexivity].
Qed.

(** A position is the same as another if both show the same on every square of the board. *)
Definition alike (p q : lights_position) : Prop := forall s, on_board R C s -> p s = q s.

(** ** Every play ends: each move takes one of the steps that are left *)

Definition steps (v : level) : nat := match v with Empty => 3 | Red => 2 | Yellow => 1 | Green => 0 end.
Definition left (p : lights_position) : nat := list_sum (map (fun s => steps (p s)) (squares R C)).

Lemma sum_less (f g : square -> nat) l s :
  In s l -> f s < g s -> (forall t, f t <= g t) -> list_sum (map f l) < list_sum (map g l).
Proof.
  intros H less all. unfold list_sum.
  assert (le : forall k, fold_right plus 0 (map f k) <= fold_right plus 0 (map g k)).
  { induction k as [|t k IH]; cbn; [lia|]. specialize (all t). lia. }
  induction l as [|t l IH]; cbn in *; [contradiction|].
  destruct H as [->|H].
  - specialize (le l). lia.
  - specialize (IH H). specialize (all t). lia.
Qed.

Lemma next_steps u v : next u = Some v -> steps v < steps u.
Proof. destruct u, v; cbn; intros E; try discriminate; lia. Qed.

Lemma raised_left s p q : on_board R C s -> raised s p q -> left q < left p.
Proof.
  intros H [N same]. apply sum_less with s.
  - now apply in_squares.
  - now apply next_steps.
  - intros t. destruct (square_dec t s) as [->|other]; [now apply Nat.lt_le_incl, next_steps|now rewrite same].
Qed.

(** ** A board on which a line fits has a move as long as none is completed *)

Lemma has_move p :
  In (Green, Green, Green) patterns -> (3 <= R /\ 1 <= C \/ 3 <= C /\ 1 <= R) ->
  ~ completed patterns R C p -> exists q, move G p q.
Proof.
  intros ggg big open.
  destruct (existsb (fun s => if level_dec (p s) Green then false else true) (squares R C)) eqn:E.
  - apply existsb_exists in E as (s & H & E). apply in_squares in H.
    destruct (level_dec (p s) Green) as [|low]; [discriminate|].
    assert (exists v, next (p s) = Some v) as [v N] by (destruct (p s); cbn; eauto; congruence).
    exists (set s v p). split; [exact open|]. exists s. auto using set_raises.
  - exfalso. apply open.
    assert (all : forall s, on_board R C s -> p s = Green).
    { intros s H. apply in_squares in H. destruct (level_dec (p s) Green) as [|low]; [assumption|].
      enough (false = true) by discriminate. rewrite <- E. apply existsb_exists. exists s. split; [exact H|].
      now destruct (level_dec (p s) Green). }
    destruct big as [big|big];
      [exists (0, 0), (0, 1), (0, 2) | exists (0, 0), (1, 0), (2, 0)]; rewrite !all;
      repeat split; unfold on_board; cbn; try lia; trivial; [apply (north 0 0)|apply (east 0 0)].
Qed.

(** ** Positions that look alike have the same value *)

Lemma alike_completed p q : alike p q -> completed patterns R C p -> completed patterns R C q.
Proof.
  intros same (a & b & c & l & H). exists a, b, c. split; [exact l|].
  destruct l as (_ & Ha & Hb & Hc). now rewrite <- !same.
Qed.

(** Symmetries of a board: [to] takes lines to lines, in one direction or the other, and [back] undoes it. *)
Record symmetry (to back : square -> square) : Prop := {
  to_board s : on_board R C s -> on_board R C (to s);
  back_board s : on_board R C s -> on_board R C (back s);
  back_to s : on_board R C s -> back (to s) = s;
  to_back s : on_board R C s -> to (back s) = s;
  to_line a b c : board_line R C a b c -> line (to a) (to b) (to c) \/ line (to c) (to b) (to a);
  back_line a b c : board_line R C a b c -> line (back a) (back b) (back c) \/ line (back c) (back b) (back a)
}.

(** [q] is [p], turned by a symmetry. *)
Definition image (to : square -> square) (p q : lights_position) : Prop := forall s, on_board R C s -> q (to s) = p s.

Lemma image_back to back p q : symmetry to back -> image to p q -> image back q p.
Proof. intros y i s H. rewrite <- (i (back s)), (to_back _ _ y) by (try apply (back_board _ _ y); exact H). reflexivity. Qed.

Lemma symmetry_back to back : symmetry to back -> symmetry back to.
Proof. intros []; split; auto. Qed.

Lemma identity : symmetry (fun s => s) (fun s => s).
Proof. split; auto; intros a b c [l _]; auto. Qed.

Lemma image_line to back a b c : symmetry to back -> board_line R C a b c ->
  board_line R C (to a) (to b) (to c) \/ board_line R C (to c) (to b) (to a).
Proof.
  intros y l. pose proof l as (_ & Ha & Hb & Hc).
  destruct (to_line _ _ y _ _ _ l); [left|right]; repeat split; trivial; now apply (to_board _ _ y).
Qed.

Hypothesis both_ways : reversible patterns.

Lemma image_completed to back p q : symmetry to back -> image to p q ->
  completed patterns R C p -> completed patterns R C q.
Proof.
  intros y i (a & b & c & l & H). pose proof l as (_ & Ha & Hb & Hc).
  destruct (image_line _ _ _ _ _ y l) as [m|m].
  - exists (to a), (to b), (to c). now rewrite !i.
  - exists (to c), (to b), (to a). rewrite !i by assumption. auto.
Qed.

Lemma image_open to back p q : symmetry to back -> image to p q ->
  ~ completed patterns R C p -> ~ completed patterns R C q.
Proof.
  intros y i open done. apply open.
  exact (image_completed _ _ _ _ (symmetry_back _ _ y) (image_back _ _ _ _ y i) done).
Qed.

Lemma image_move to back p q p' : symmetry to back -> image to p p' -> move G p q ->
  exists q', move G p' q' /\ image to q q'.
Proof.
  intros y i (open & s & H & N & same).
  exists (set (to s) (q s) p'). split.
  - split; [eapply image_open; eauto|]. exists (to s). split; [now apply (to_board _ _ y)|].
    apply set_raises. now rewrite i.
  - intros t Ht. unfold set. destruct (square_dec (to t) (to s)) as [e|ne].
    + rewrite <- (back_to _ _ y t Ht), e, (back_to _ _ y) by exact H. reflexivity.
    + rewrite i by exact Ht. rewrite same; [reflexivity|congruence].
Qed.

Lemma image_ended to back p q e : symmetry to back -> image to p q -> ended G p e -> ended G q e.
Proof.
  intros y i [[done ->]|(open & stuck & ->)]; [left|right].
  - eauto using image_completed.
  - split; [eapply image_open; eauto|]. split; [|reflexivity]. intros [r step]. apply stuck.
    destruct (image_move _ _ _ _ _ (symmetry_back _ _ y) (image_back _ _ _ _ y i) step) as (s & step' & _).
    now exists s.
Qed.

(** A position and its images have the same value. *)
Theorem image_forces to back goal p q : symmetry to back -> image to p q ->
  (mover_forces (G := G) goal p -> mover_forces (G := G) goal q) /\
  (other_forces (G := G) goal p -> other_forces (G := G) goal q).
Proof.
  intros y. apply (same_value G (image to) goal).
  - intros; eapply image_ended; eauto.
  - intros; eapply image_move; eauto.
  - intros p' q' r i step.
    destruct (image_move _ _ _ _ _ (symmetry_back _ _ y) (image_back _ _ _ _ y i) step) as (s & step' & i').
    exists s. split; [exact step'|]. exact (image_back _ _ _ _ (symmetry_back _ _ y) i').
Qed.
End Lights.
