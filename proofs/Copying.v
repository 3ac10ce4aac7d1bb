(** Copying: Lemma 1, Theorem 1 (two ranks) and Theorem 2 (both sides odd), for boards of every size. The proofs are
    those of docs/book-of-results/families.md, step by step. *)

From Coq Require Import List Arith Bool Lia.
From Greenwave Require Import Game Basics.
Import ListNotations.

(** * Threats *)

Section Threats.
Context (patterns : list pattern) (rule : ending_rule) (R C : nat).
Let G := lights patterns rule R C.

(** A line that shows [u, v, w] would show a pattern if one of its levels were raised. *)
Definition nearly (u v w : level) : Prop :=
  (exists x, next u = Some x /\ In (x, v, w) patterns) \/
  (exists x, next v = Some x /\ In (u, x, w) patterns) \/
  (exists x, next w = Some x /\ In (u, v, x) patterns).

(** "Let a threat be a line that one move would complete." *)
Definition threat (p : lights_position) (a b c : square) : Prop := board_line R C a b c /\ nearly (p a) (p b) (p c).
Definition threatened (p : lights_position) : Prop := exists a b c, threat p a b c.

Definition nearlyb (u v w : level) : bool :=
  match next u with Some x => among patterns (x, v, w) | None => false end ||
  match next v with Some x => among patterns (u, x, w) | None => false end ||
  match next w with Some x => among patterns (u, v, x) | None => false end.

Lemma nearlyb_spec u v w : nearlyb u v w = true <-> nearly u v w.
Proof.
  assert (one : forall x (f : level -> pattern),
    match next x with Some y => among patterns (f y) | None => false end = true <->
    exists y, next x = Some y /\ In (f y) patterns).
  { intros x f. destruct (next x) as [y|].
    - rewrite among_spec. split; [now exists y|]. now intros (z & [= <-] & H).
    - split; [discriminate|]. now intros (y & [=] & _). }
  unfold nearlyb, nearly. rewrite !orb_true_iff.
  rewrite (one u (fun x => (x, v, w))), (one v (fun x => (u, x, w))), (one w (fun x => (u, v, x))). tauto.
Qed.

Lemma threatened_dec p : threatened p \/ ~ threatened p.
Proof.
  destruct (existsb (fun '(a, b, c) => nearlyb (p a) (p b) (p c)) (lines R C)) eqn:E; [left|right].
  - apply existsb_exists in E as ([[a b] c] & l & n). apply in_lines in l. apply nearlyb_spec in n.
    now exists a, b, c.
  - intros (a & b & c & l & n). enough (false = true) by discriminate. rewrite <- E. apply existsb_exists.
    exists (a, b, c). now rewrite in_lines, nearlyb_spec.
Qed.

(** A move that completes a line was a threat before, and every threat can be completed. *)
Lemma completes_threat s p q :
  ~ completed patterns R C p -> raised s p q -> completed patterns R C q -> threatened p.
Proof.
  intros open [N same] (a & b & c & l & H). exists a, b, c. split; [exact l|].
  destruct (line_distinct _ _ _ (proj1 l)) as (ab & bc & ac).
  destruct (square_dec a s) as [<-|a'].
  { left. exists (q a). rewrite <- (same b), <- (same c) by congruence. auto. }
  destruct (square_dec b s) as [<-|b'].
  { right. left. exists (q b). rewrite <- (same a), <- (same c) by congruence. auto. }
  destruct (square_dec c s) as [<-|c'].
  { right. right. exists (q c). rewrite <- (same a), <- (same b) by congruence. auto. }
  exfalso. apply open. exists a, b, c. rewrite !same in H by assumption. auto.
Qed.

Lemma complete_threat p :
  ~ completed patterns R C p -> threatened p -> exists q, lights_move patterns R C p q /\ completed patterns R C q.
Proof.
  intros open (a & b & c & l & n). pose proof l as (l' & Ha & Hb & Hc).
  destruct (line_distinct _ _ _ l') as (ab & bc & ac).
  assert (by_raising : forall s x, on_board R C s -> next (p s) = Some x ->
    In (set s x p a, set s x p b, set s x p c) patterns -> exists q, lights_move patterns R C p q /\ completed patterns R C q).
  { intros s x Hs N H. exists (set s x p). split.
    - split; [exact open|]. exists s. auto using set_raises.
    - now exists a, b, c. }
  unfold set in by_raising.
  destruct n as [(x & N & H)|[(x & N & H)|(x & N & H)]];
    [apply (by_raising a x Ha N)|apply (by_raising b x Hb N)|apply (by_raising c x Hc N)];
    repeat destruct (square_dec _ _); congruence.
Qed.

(** "A player who can always answer without leaving a threat wins": [safe] holds of positions that such a player
    leaves, the other to move. *)
Theorem answers_win (safe : lights_position -> Prop) :
  rule = normal -> In (Green, Green, Green) patterns -> (3 <= R /\ 1 <= C \/ 3 <= C /\ 1 <= R) ->
  (forall q, safe q -> ~ completed patterns R C q /\ ~ threatened q /\
     forall x p, on_board R C x -> raised x q p -> ~ threatened p -> exists y q', on_board R C y /\ raised y p q' /\ safe q') ->
  forall q, safe q -> mover_loses (G := G) q.
Proof.
  intros -> ggg big keeps q.
  induction q as [q IH] using (well_founded_induction (Wf_nat.well_founded_ltof _ (left R C))). intros S.
  destruct (keeps q S) as (open & quiet & answer).
  apply other_waits; [now apply has_move|]. intros p (_ & x & Hx & up).
  assert (open' : ~ completed patterns R C p) by (intros done; eauto using completes_threat).
  destruct (threatened_dec p) as [t|t].
  - destruct (complete_threat p open' t) as (r & step & done).
    apply mover_plays with r; [exact step|]. apply other_has with Lost; [now left|reflexivity].
  - destruct (answer x p Hx up t) as (y & q' & Hy & up' & S').
    apply mover_plays with q'; [split; eauto|]. apply IH; [|exact S'].
    unfold Wf_nat.ltof. apply raised_left with (1 := Hx) in up. apply raised_left with (1 := Hy) in up'. lia.
Qed.

(** * Copying *)

Hypothesis both_ways : reversible patterns.

Lemma nearly_reversed u v w : nearly u v w -> nearly w v u.
Proof.
  intros [(x & N & H)|[(x & N & H)|(x & N & H)]]; apply both_ways in H;
    [right; right|right; left|left]; now exists x.
Qed.

Context (image : square -> square).
Hypothesis mirror : symmetry R C image image.

Definition symmetric (p : lights_position) : Prop := forall s, on_board R C s -> p (image s) = p s.

(** The same line, turned, shows the same lights. *)
Lemma image_of_threat p a b c : symmetric p -> threat p a b c ->
  threat p (image a) (image b) (image c) \/ threat p (image c) (image b) (image a).
Proof.
  intros y [l n]. pose proof l as (_ & Ha & Hb & Hc).
  destruct (image_line _ _ _ _ _ _ _ mirror l) as [m|m]; [left|right]; (split; [exact m|]);
    rewrite !y by assumption; auto using nearly_reversed.
Qed.

Definition on_line (s a b c : square) : Prop := s = a \/ s = b \/ s = c.

Lemma threat_unchanged p q s a b c : raised s p q -> ~ on_line s a b c -> threat q a b c -> threat p a b c.
Proof.
  intros [_ same] off [l n]. split; [exact l|]. unfold on_line in off.
  rewrite <- (same a), <- (same b), <- (same c) by (intros E; subst; tauto). exact n.
Qed.

(** The copy can be played, and leaves a symmetric position. *)
Lemma copy_legal q x p : symmetric q -> on_board R C x -> image x <> x -> raised x q p ->
  exists r, raised (image x) p r /\ symmetric r.
Proof.
  intros y H ne [N same]. exists (set (image x) (p x) p). split.
  - apply set_raises. rewrite same, y by assumption. exact N.
  - intros s Hs. unfold set.
    destruct (square_dec (image s) (image x)) as [e|e].
    + assert (s = x) as -> by (rewrite <- (to_back _ _ _ _ mirror s Hs), e; now apply (to_back _ _ _ _ mirror)).
      destruct (square_dec x (image x)); reflexivity.
    + destruct (square_dec s (image x)) as [->|e'].
      * now rewrite (to_back _ _ _ _ mirror).
      * rewrite (same (image s)), (same s); [now apply y| |]; intros E; [apply e; congruence|].
        apply e'. rewrite <- E. symmetry. now apply (to_back _ _ _ _ mirror).
Qed.

(** Lemma 1. "Say that the position is symmetric under σ and has no threat, and that the opponent moves on x, with
    σ(x) ≠ x. If there is then no threat, the player copies; and afterwards the only lines that can be threats are
    those that hold both x and σ(x)." The lemma [copy_legal] shows that the copy can be played, and
    [complete_threat] that a threat can be completed. *)
Theorem copying q x p r : symmetric q -> on_board R C x -> image x <> x -> raised x q p -> ~ threatened p ->
  raised (image x) p r -> symmetric r ->
  forall a b c, threat r a b c -> on_line x a b c /\ on_line (image x) a b c.
Proof.
  intros _ H _ _ quiet up' y a b c t.
  assert (here : forall a b c, threat r a b c -> on_line (image x) a b c).
  { intros a' b' c' t'.
    destruct (square_dec (image x) a'); [now left|]. destruct (square_dec (image x) b'); [now right; left|].
    destruct (square_dec (image x) c'); [now right; right|].
    exfalso. apply quiet. exists a', b', c'. apply (threat_unchanged _ r (image x)); trivial.
    unfold on_line. tauto. }
  split; [|now apply here].
  (* the image of the line is a threat, too; so it holds the image of x, and the line holds x *)
  pose proof t as [(_ & Ha & Hb & Hc) _].
  assert (same : forall s, on_board R C s -> image x = image s -> x = s).
  { intros s Hs e. rewrite <- (to_back _ _ _ _ mirror x H), e. now apply (to_back _ _ _ _ mirror). }
  unfold on_line. destruct (image_of_threat r a b c y t) as [t'|t']; apply here in t' as [e|[e|e]]; auto.
Qed.
End Threats.

(** * Theorem 1: two ranks *)

Section TwoRanks.
Context (patterns : list pattern) (n : nat).
Hypothesis both_ways : reversible patterns.
Hypothesis ggg : In (Green, Green, Green) patterns.
Hypothesis lit : forall u v w, In (u, v, w) patterns -> u <> Empty /\ v <> Empty /\ w <> Empty.
Hypothesis wide : 3 <= n.

(** The other square of the same file. *)
Definition other_rank (s : square) : square := (fst s, 1 - snd s).

Lemma other_rank_symmetry : symmetry 2 n other_rank other_rank.
Proof.
  split.
  1-2: intros [f r]; unfold on_board, other_rank; cbn [fst snd]; lia.
  1-2: intros [f r]; unfold on_board, other_rank; cbn [fst snd]; intros H; f_equal; lia.
  all: intros a b c ([f r|f r|f r|f r] & Ha & Hb & Hc); unfold on_board in *; cbn [fst snd] in *;
    try lia; left; constructor.
Qed.

(** "All lines run along a rank, and none holds a square and the other one of its file." *)
Lemma not_both_ranks a b c s : board_line 2 n a b c -> on_board 2 n s ->
  on_line s a b c -> on_line (other_rank s) a b c -> False.
Proof.
  intros ([f r|f r|f r|f r] & Ha & Hb & Hc) Hs here there; unfold on_board in *; cbn [fst snd] in *; try lia.
  unfold on_line, other_rank in *. destruct here as [-> | [-> | ->]]; cbn [fst snd] in *;
    destruct there as [e|[e|e]]; apply pair_equal_spec in e; lia.
Qed.

Lemma other_rank_moves s : on_board 2 n s -> other_rank s <> s.
Proof. destruct s as [f r]. unfold on_board, other_rank. cbn [fst snd]. intros H e. apply pair_equal_spec in e. lia. Qed.

(** "On 2 × n, n ≥ 3, the second player wins. This is so for every choice of what counts as a line of three." *)
Theorem two_ranks_normal : second_player_wins (lights patterns normal 2 n).
Proof.
  apply (answers_win patterns normal 2 n (fun q =>
    ~ completed patterns 2 n q /\ ~ threatened patterns 2 n q /\ symmetric 2 n other_rank q)); trivial.
  - right. lia.
  - intros q (open & quiet & y). split; [exact open|]. split; [exact quiet|]. intros x p H up quiet'.
    destruct (copy_legal 2 n other_rank other_rank_symmetry q x p y H (other_rank_moves x H) up) as (r & up' & y').
    exists (other_rank x), r. split; [now apply (to_board _ _ _ _ other_rank_symmetry)|]. split; [exact up'|].
    split; [|split; [|exact y']].
    + intros done. apply quiet'. apply (completes_threat _ _ _ (other_rank x) p r); trivial.
      intros done'. apply quiet. now apply (completes_threat _ _ _ x q p).
    + intros (a & b & c & t).
      destruct (copying patterns 2 n both_ways other_rank other_rank_symmetry q x p r y H (other_rank_moves x H) up
        quiet' up' y' a b c t) as [here there].
      now apply (not_both_ranks a b c x (proj1 t)).
  - (* the empty board *)
    split; [|split; [|now intros s]].
    + intros (a & b & c & _ & H). now apply lit in H.
    + intros (a & b & c & _ & [(x & _ & H)|[(x & _ & H)|(x & _ & H)]]); now apply lit in H.
Qed.

(** "It is so, too, where whoever completes a line loses." *)
Theorem two_ranks_misere : second_player_wins (lights patterns misere 2 n).
Proof.
  set (G := lights patterns misere 2 n).
  enough (safe : forall q : position G, ~ completed patterns 2 n q -> symmetric 2 n other_rank q -> mover_loses q).
  { apply safe; [|now intros s]. intros (a & b & c & _ & H). now apply lit in H. }
  intros q. induction q as [q IH] using (well_founded_induction (Wf_nat.well_founded_ltof _ (left 2 n))).
  intros open y. apply other_waits; [apply has_move; trivial; right; lia|]. intros p (_ & x & H & up).
  destruct (completed_dec patterns 2 n p) as [done|open'].
  { apply mover_has with Won; [now left|reflexivity]. }
  destruct (copy_legal 2 n other_rank other_rank_symmetry q x p y H (other_rank_moves x H) up) as (r & up' & y').
  pose proof (to_board _ _ _ _ other_rank_symmetry x H) as H'.
  apply mover_plays with r; [split; eauto|]. apply IH; [| |exact y'].
  - unfold Wf_nat.ltof. apply (raised_left 2 n x) in up; trivial. apply (raised_left 2 n (other_rank x)) in up'; trivial. lia.
  - (* "A line that the copy completes would show in the other rank before it." *)
    intros (a & b & c & l & shown). apply open'. pose proof l as (_ & Ha & Hb & Hc).
    destruct up' as [_ same].
    destruct (square_dec (other_rank x) a) as [ea|]; [|destruct (square_dec (other_rank x) b) as [eb|];
      [|destruct (square_dec (other_rank x) c) as [ec|]]].
    4: { exists a, b, c. rewrite <- !same by congruence. auto. }
    all: assert (there : on_line (other_rank x) a b c) by (unfold on_line; auto).
    all: assert (away : forall s, on_board 2 n s -> on_line s a b c -> p (other_rank s) = r s);
      [intros s Hs on; rewrite <- (y' s Hs); symmetry; apply same; intros e;
       apply (not_both_ranks a b c s l Hs on); rewrite e; exact there|].
    all: destruct (image_line _ _ _ _ _ _ _ other_rank_symmetry l) as [m|m];
      [exists (other_rank a), (other_rank b), (other_rank c)|exists (other_rank c), (other_rank b), (other_rank a)];
      (split; [exact m|]); rewrite !away by (unfold on_line; auto); auto.
Qed.
End TwoRanks.

(** * Theorem 2: both sides odd *)

Definition half_turn (R C : nat) (s : square) : square := (C - 1 - fst s, R - 1 - snd s).

Lemma half_turn_symmetry R C : symmetry R C (half_turn R C) (half_turn R C).
Proof.
  assert (same : forall a b c a' b' c', line a b c -> a = a' -> b = b' -> c = c' -> line a' b' c') by congruence.
  split.
  1-2: intros [f r]; unfold on_board, half_turn; cbn [fst snd]; lia.
  1-2: intros [f r]; unfold on_board, half_turn; cbn [fst snd]; intros H; f_equal; lia.
  all: intros a b c ([f r|f r|f r|f r] & Ha & Hb & Hc); unfold on_board, half_turn in *; cbn [fst snd] in *; right;
    [apply same with (1 := east (C - 1 - (2 + f)) (R - 1 - r))
    |apply same with (1 := north (C - 1 - f) (R - 1 - (2 + r)))
    |apply same with (1 := north_east (C - 1 - (2 + f)) (R - 1 - (2 + r)))
    |apply same with (1 := south_east (C - 1 - (2 + f)) (R - 1 - (2 + r)))]; f_equal; lia.
Qed.

Section OddTimesOdd.
Context (patterns : list pattern) (a b : nat).
Notation R := (2 * a + 1).
Notation C := (2 * b + 1).
Notation image := (half_turn R C).
Let centre : square := (b, a).
Hypothesis both_ways : reversible patterns.
Hypothesis ggg : In (Green, Green, Green) patterns.
Hypothesis lit : forall u v w, In (u, v, w) patterns -> u <> Empty /\ v <> Empty /\ w <> Empty.
Hypothesis big : 1 <= a \/ 1 <= b.
(** The proof needs four facts about the patterns. Two reds side by side are a threat. Equal ends about a green centre are
    none. A green end and an empty middle are none. A single red is none. *)
Hypothesis two_reds : nearly patterns Red Red Empty.
Hypothesis equal_ends : forall v, ~ nearly patterns v Green v.
Hypothesis empty_middle : forall w, ~ nearly patterns Green Empty w.
Hypothesis one_red : ~ nearly patterns Red Empty Empty /\ ~ nearly patterns Empty Red Empty.

Let turn := half_turn_symmetry R C.

Lemma centre_on_board : on_board R C centre.
Proof. unfold on_board. cbn [centre fst snd]. lia. Qed.

Lemma centre_fixed : image centre = centre.
Proof. unfold half_turn, centre. cbn [fst snd]. f_equal; lia. Qed.

Lemma only_centre_fixed x : on_board R C x -> x <> centre -> image x <> x.
Proof.
  destruct x as [f r]. unfold on_board, half_turn, centre. cbn [fst snd]. intros H ne e. apply ne.
  apply pair_equal_spec in e. f_equal; lia.
Qed.

(** "x and σ(x) are the ends, and c is the middle" of every line that holds both. *)
Lemma middle_is_centre s t u x : board_line R C s t u -> on_board R C x -> image x <> x ->
  on_line x s t u -> on_line (image x) s t u -> t = centre /\ (s = x \/ u = x).
Proof.
  intros (l & _ & _ & _) H moves here there. destruct x as [f r].
  unfold on_board, half_turn, centre, on_line in *. cbn [fst snd] in *.
  destruct l as [f' r'|f' r'|f' r'|f' r']; destruct here as [e|[e|e]]; apply pair_equal_spec in e as [-> ->];
    destruct there as [e|[e|e]]; apply pair_equal_spec in e;
    try (exfalso; lia); try (exfalso; apply moves; f_equal; lia); (split; [f_equal; lia|auto]).
Qed.

Lemma ends_are_images s u : board_line R C s centre u -> u = image s /\ s = image u.
Proof.
  unfold centre. intros (l & Hs & _ & Hu). unfold on_board, half_turn in *.
  inversion l as [f r e1 [e2 e3] e4|f r e1 [e2 e3] e4|f r e1 [e2 e3] e4|f r e1 [e2 e3] e4]; subst s u;
    cbn [fst snd] in *; split; f_equal; lia.
Qed.

(** A neighbour of the centre is the end of a line about it. *)
Lemma neighbour_line t u : board_line R C centre t u \/ board_line R C u t centre ->
  board_line R C t centre (image t) \/ board_line R C (image t) centre t.
Proof.
  assert (same : forall a b c a' b' c', line a b c -> a = a' -> b = b' -> c = c' -> line a' b' c') by congruence.
  intros beside. assert (Ht : on_board R C t) by (unfold board_line in beside; tauto).
  pose proof (to_board _ _ _ _ turn t Ht) as Hi. pose proof centre_on_board as Hc. unfold board_line. unfold centre in *.
  destruct t as [f r], u as [f' r']. destruct beside as [(l & _)|(l & Hu & _)]; [right|left]; (split; [|tauto]);
    unfold on_board, half_turn in *; cbn [fst snd] in *;
    (inversion l;
    [apply same with (1 := east (b - 1) a)
    |apply same with (1 := north b (a - 1))
    |apply same with (1 := north_east (b - 1) (a - 1))
    |apply same with (1 := south_east (b - 1) (a - 1))]); f_equal; lia.
Qed.

(** What the first player leaves: symmetric, without a threat, and the centre is green, or red with nothing about it. *)
Definition kept (q : lights_position) : Prop :=
  ~ completed patterns R C q /\ ~ threatened patterns R C q /\ symmetric R C image q /\
  (q centre = Green \/
   q centre = Red /\ forall s u, board_line R C s centre u -> q s = Empty /\ q u = Empty).

Lemma beginning : kept (set centre Red (fun _ => Empty)).
Proof.
  assert (cases : forall s t u, line s t u -> let q := set centre Red (fun _ => Empty) in
    (q s = Empty /\ q t = Empty \/ q t = Empty /\ q u = Empty \/ q s = Empty /\ q u = Empty) /\
    ~ nearly patterns (q s) (q t) (q u)).
  { intros s t u l. destruct (line_distinct _ _ _ l) as (st & tu & su). unfold set.
    destruct one_red as [end_red middle_red].
    assert (no_red : ~ nearly patterns Empty Empty Empty).
    { intros [(x & _ & H)|[(x & _ & H)|(x & _ & H)]]; now apply lit in H. }
    assert (end_red' : ~ nearly patterns Empty Empty Red) by (intros n; now apply end_red, nearly_reversed).
    destruct (square_dec s centre), (square_dec t centre), (square_dec u centre); try congruence; split; auto. }
  split; [|split; [|split]].
  - intros (s & t & u & (l & _) & H). apply lit in H. destruct (cases s t u l) as [two _]. cbn in two. tauto.
  - intros (s & t & u & (l & _) & n). now apply (cases s t u l) in n.
  - intros s Hs. unfold set. destruct (square_dec s centre) as [->|ne]; [now rewrite centre_fixed; destruct (square_dec _ _)|].
    destruct (square_dec (image s) centre) as [e|]; [|reflexivity].
    exfalso. apply ne. rewrite <- (to_back _ _ _ _ turn s Hs), e. exact centre_fixed.
  - right. unfold set. split; [now destruct (square_dec centre centre)|]. intros s u (l & _).
    destruct (line_distinct _ _ _ l) as (st & tu & su).
    destruct (square_dec s centre), (square_dec u centre); try congruence; auto.
Qed.

(** "It remains to see that turning the centre green leaves no threat." *)
Lemma answer_in_centre q p : kept q -> raised centre q p -> ~ threatened patterns R C p ->
  exists r, raised centre p r /\ kept r.
Proof.
  intros (open & quiet & y & [green|[red about]]) [N same] quiet'; [rewrite green in N; discriminate|].
  assert (open' : ~ completed patterns R C p).
  { intros done. apply quiet. now apply (completes_threat _ _ _ centre q p). }
  rewrite red in N. injection N as yellow. exists (set centre Green p).
  assert (up : raised centre p (set centre Green p)) by (apply set_raises; now rewrite <- yellow).
  split; [exact up|]. destruct up as [N' same']. set (r := set centre Green p) in *.
  assert (green : r centre = Green) by (unfold r, set; now destruct (square_dec centre centre)).
  assert (same_q : forall s, s <> centre -> r s = q s) by (intros; rewrite same', same; trivial).
  split; [|split; [|split; [|now left]]].
  - intros done. apply quiet'. apply (completes_threat _ _ _ centre p r); trivial. now split.
  - intros (s & t & u & l & n). destruct (line_distinct _ _ _ (proj1 l)) as (st & tu & su).
    destruct (square_dec t centre) as [->|t'].
    { destruct (about s u l) as [es eu]. rewrite green, (same_q s), (same_q u), es, eu in n by congruence.
      now apply (equal_ends Empty). }
    assert (next_to : forall v, board_line R C centre t v \/ board_line R C v t centre -> r t = Empty).
    { intros v beside. rewrite same_q by exact t'.
      destruct (neighbour_line t v beside) as [m|m]; now apply about in m. }
    destruct (square_dec s centre) as [->|s'].
    { rewrite green, (next_to u) in n by auto. now apply empty_middle in n. }
    destruct (square_dec u centre) as [->|u'].
    { rewrite green, (next_to s) in n by auto. apply nearly_reversed in n; trivial. now apply empty_middle in n. }
    apply quiet'. exists s, t, u. apply (threat_unchanged _ _ _ p r centre); [now split|unfold on_line; intuition congruence|].
    now split.
  - intros s Hs. destruct (square_dec s centre) as [->|ne]; [now rewrite centre_fixed|].
    rewrite !same_q; [now apply y|exact ne|]. intros e. apply ne. rewrite <- (to_back _ _ _ _ turn s Hs), e. exact centre_fixed.
Qed.

(** "Otherwise answer by half a turn." *)
Lemma answer_by_half_turn q x p : kept q -> on_board R C x -> x <> centre -> raised x q p ->
  ~ threatened patterns R C p -> exists r, raised (image x) p r /\ kept r.
Proof.
  intros (open & quiet & y & middle) H ne up quiet'.
  pose proof (only_centre_fixed x H ne) as moves.
  destruct (copy_legal R C image turn q x p y H moves up) as (r & up' & y').
  exists r. split; [exact up'|].
  assert (ne' : image x <> centre).
  { intros e. apply ne. rewrite <- (to_back _ _ _ _ turn x H), e. exact centre_fixed. }
  pose proof up as [N same]. pose proof up' as [N' same'].
  assert (rc : r centre = q centre) by (rewrite same', same by congruence; reflexivity).
  (* beside a red centre, x would have left two reds and an empty square *)
  assert (away : q centre = Red -> (forall s u, board_line R C s centre u -> q s = Empty /\ q u = Empty) ->
            forall s u, board_line R C s centre u -> s <> x /\ u <> x).
  { intros red about s u l. destruct (about s u l) as [es eu]. destruct (line_distinct _ _ _ (proj1 l)) as (sc & cu & su).
    assert (pc : p centre = Red) by (rewrite same by congruence; exact red).
    split; intros ->; apply quiet'.
    - rewrite es in N. injection N as N. exists x, centre, u. split; [exact l|].
      rewrite <- N, pc, (same u) by congruence. now rewrite eu.
    - rewrite eu in N. injection N as N. exists s, centre, x. split; [exact l|].
      rewrite <- N, pc, (same s) by congruence. rewrite es. now apply nearly_reversed. }
  split; [|split; [|split; [exact y'|]]].
  - intros done. apply quiet'. apply (completes_threat _ _ _ (image x) p r); trivial.
    intros done'. apply quiet. now apply (completes_threat _ _ _ x q p).
  - intros (s & t & u & h). pose proof (copying patterns R C both_ways image turn q x p r y H moves up quiet' up' y' s t u h)
      as [here there]. destruct h as [l n].
    destruct (middle_is_centre s t u x l H moves here there) as [-> end_x].
    destruct middle as [green|[red about]].
    + destruct (ends_are_images s u l) as [eu _]. destruct l as (_ & Hs & _).
      rewrite rc, green, eu, y' in n by exact Hs. now apply equal_ends in n.
    + destruct (away red about s u l). destruct end_x; contradiction.
  - rewrite rc. destruct middle as [green|[red about]]; [now left|right]. split; [exact red|]. intros s u l.
    destruct (away red about s u l) as [sx ux], (ends_are_images s u l) as [eu es], (about s u l) as [empty_s empty_u].
    assert (s <> image x /\ u <> image x) as [six uix].
    { split; intros e; [apply ux; rewrite eu, e|apply sx; rewrite es, e]; now apply (to_back _ _ _ _ turn). }
    rewrite !same', !same by assumption. auto.
Qed.

(** "On R × C with R and C odd and a side of at least three, the first player wins." *)
Theorem odd_times_odd : first_player_wins (lights patterns normal R C).
Proof.
  set (G := lights patterns normal R C). apply (mover_plays (G := G) win (fun _ => Empty) (set centre Red (fun _ => Empty))).
  - split.
    + intros (s & t & u & _ & H). now apply lit in H.
    + exists centre. split; [exact centre_on_board|]. now apply set_raises.
  - apply (answers_win patterns normal R C kept); trivial; [lia| |exact beginning].
    intros q k. pose proof k as (open & quiet & _). split; [exact open|]. split; [exact quiet|]. intros x p H up quiet'.
    destruct (square_dec x centre) as [->|ne].
    + destruct (answer_in_centre q p k up quiet') as (r & up' & k'). exists centre, r. auto using centre_on_board.
    + destruct (answer_by_half_turn q x p k H ne up quiet') as (r & up' & k'). exists (image x), r.
      split; [now apply (to_board _ _ _ _ turn)|auto].
Qed.
End OddTimesOdd.

(** * The theorems for the games of the book *)

Ltac read_patterns := intros u v w H; cbn in H; repeat destruct H as [H|H]; try contradiction; injection H as <- <- <-;
  repeat split; discriminate.
Ltac by_cases := repeat match goal with
  | |- forall v : level, _ => intros []
  | |- _ /\ _ => split
  | |- ~ _ => rewrite <- nearlyb_spec; discriminate
  | |- nearly _ _ _ _ => apply nearlyb_spec; reflexivity
  end.

Theorem two_ranks_classic n : 3 <= n -> second_player_wins (classic 2 n).
Proof. apply two_ranks_normal; [exact classic_reversible|cbn; tauto|read_patterns]. Qed.
Theorem two_ranks_signal n : 3 <= n -> second_player_wins (signal 2 n).
Proof. apply two_ranks_normal; [exact signal_reversible|cbn; tauto|read_patterns]. Qed.
Theorem two_ranks_green n : 3 <= n -> second_player_wins (green 2 n).
Proof. apply two_ranks_normal; [exact green_reversible|cbn; tauto|read_patterns]. Qed.
Theorem two_ranks_classic_misere n : 3 <= n -> second_player_wins (classic_misere 2 n).
Proof. apply two_ranks_misere; [exact classic_reversible|cbn; tauto|read_patterns]. Qed.
Theorem two_ranks_signal_misere n : 3 <= n -> second_player_wins (signal_misere 2 n).
Proof. apply two_ranks_misere; [exact signal_reversible|cbn; tauto|read_patterns]. Qed.
Theorem two_ranks_green_misere n : 3 <= n -> second_player_wins (green_misere 2 n).
Proof. apply two_ranks_misere; [exact green_reversible|cbn; tauto|read_patterns]. Qed.

(** Odd sides are 2a + 1 and 2b + 1; at least one of them is 3 or more. *)
Theorem odd_times_odd_classic a b : 1 <= a \/ 1 <= b -> first_player_wins (classic (2 * a + 1) (2 * b + 1)).
Proof. intros big. apply odd_times_odd; [exact classic_reversible|cbn; tauto|read_patterns|exact big|by_cases..]. Qed.
Theorem odd_times_odd_signal a b : 1 <= a \/ 1 <= b -> first_player_wins (signal (2 * a + 1) (2 * b + 1)).
Proof. intros big. apply odd_times_odd; [exact signal_reversible|cbn; tauto|read_patterns|exact big|by_cases..]. Qed.
