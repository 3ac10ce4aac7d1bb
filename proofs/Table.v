(** Whole tables: the value of every position of a board, computed inside Rocq and proved right.

    [solve] fills a table backwards from the full board. It is not trusted. Then [audit] checks the finished
    table: it compares every position with the positions that one move leads to. The theorem [table_right] says that a
    table which passes is correct everywhere. So [solve] is only a quick way to find a table that passes.

    A position is the list of its levels, in listing order. The table has one bit for each, set where the player to move
    loses. The first two levels say which bit of a word, the others which word: an array of Rocq has at most 4,194,303
    cells, and a word of 16 positions is handled at once. *)

From Coq Require Import Uint63 Ring63 PArray List FinFun Arith NArith Bool Lia.
From Greenwave Require Import Game Basics Lists.
Import ListNotations.

(** * Words and bits *)

Definition digit (v : level) : int := match v with Empty => 0 | Red => 1 | Yellow => 2 | Green => 3 end%uint63.

(** The number that levels spell in base 4, the first level last. *)
Fixpoint code (l : list level) : int := match l with [] => 0 | v :: r => digit v + 4 * code r end%uint63.

(** The table's bit of a position. *)
Definition lost (T : array int) (l : list level) : bool :=
  match l with u :: v :: rest => bit T.[code rest] (digit u + 4 * digit v) | _ => false end.

(** The words that moves beyond the first two squares lead to, united. [w] is the weight of the first level of [rest]
    and [k] the number of the whole word. *)
Fixpoint later (T : array int) (rest : list level) (w k : int) : int :=
  match rest with
  | [] => 0
  | v :: r => let o := later T r (4 * w) k in match v with Green => o | _ => T.[k + w] lor o end
  end%uint63.

(** The correct value of a word, given itself, the words that moves lead to, and its finished positions. A player without
    a move to a lost position loses, and under normal play so does a player who finds a line completed. A move on the first square leads to the
    next bit, one on the second to the fourth next; the masks keep out the bits of green squares. *)
Definition word (rule : ending_rule) (self others finished : int) : int :=
  (let able := others lor (self >> 1 land 30583) lor (self >> 4 land 4095) in
   match rule with
   | normal => finished lor (able lxor 65535)
   | misere => (finished lor able) lxor 65535
   end)%uint63.

(** * Completed lines *)

(** What a pattern on a line asks of each square, from the last square of the board to the first. *)
Definition demand : Set := list (option level).

Definition demand_of (R C : nat) (t : triple) (u : pattern) : demand :=
  let '(a, b, c) := t in let '(x, y, z) := u in
  map (fun s => if square_dec s a then Some x else if square_dec s b then Some y else if square_dec s c then Some z else None)
    (rev (squares R C)).

Definition demands (patterns : list pattern) (R C : nat) : list demand :=
  flat_map (fun t => map (demand_of R C t) patterns) (lines R C).

Definition level_eqb (u v : level) : bool :=
  match u, v with Empty, Empty => true | Red, Red => true | Yellow, Yellow => true | Green, Green => true | _, _ => false end.

(** The demands that are left when the next square holds [v]. *)
Fixpoint advance (v : level) (ds : list demand) : list demand :=
  match ds with
  | [] => []
  | (None :: d) :: more => d :: advance v more
  | (Some u :: d) :: more => if level_eqb u v then d :: advance v more else advance v more
  | [] :: more => advance v more
  end.

(** The positions of a word that meet demands of its last two squares. *)
Definition mask_first (o : option level) : int :=
  match o with None => 65535 | Some Empty => 4369 | Some Red => 8738 | Some Yellow => 17476 | Some Green => 34952 end%uint63.
Definition mask_second (o : option level) : int :=
  match o with None => 65535 | Some Empty => 15 | Some Red => 240 | Some Yellow => 3840 | Some Green => 61440 end%uint63.
Fixpoint finished (ds : list demand) : int :=
  match ds with
  | [o; o'] :: more => mask_second o land mask_first o' lor finished more
  | _ :: more => finished more
  | [] => 0
  end%uint63.

(** * Solving *)

(** Four moves back and forth at most lie between the positions of one word: seven rounds settle it. *)
Definition settle (rule : ending_rule) (others fin : int) : int :=
  let go w := word rule w others fin in go (go (go (go (go (go (go 0%uint63)))))).

Fixpoint fill (rule : ending_rule) (n : nat) (rest : list level) (ds : list demand) (T : array int) : array int :=
  match n with
  | 0 => let k := code rest in T.[k <- settle rule (later T rest 1 k) (finished ds)]
  | S n =>
    let step v := fill rule n (v :: rest) (advance v ds) in
    step Empty (step Red (step Yellow (step Green T)))
  end%uint63.

Definition solve (patterns : list pattern) (rule : ending_rule) (R C : nat) : array int :=
  fill rule (R * C - 2) [] (demands patterns R C) (make (code (repeat Green (R * C - 2)) + 1)%uint63 0%uint63).

(** * Auditing *)

Definition levels : list level := [Empty; Red; Yellow; Green].

(** Every list of [n] levels. *)
Fixpoint every (n : nat) : list (list level) :=
  match n with 0 => [[]] | S n => flat_map (fun v => map (fun l => l ++ [v]) (every n)) levels end.

(** The bits of a word that are set, of the 16 that it has. *)
Definition bits : list int := Eval vm_compute in map code (every 2).
Definition count (w : int) : N := fold_right (fun i n => if bit w i then N.succ n else n) 0%N bits.

Definition both (a b : option N) : option N :=
  match a, b with Some x, Some y => Some (x + y)%N | _, _ => None end.

(** The number of lost positions that end in [rest], if all of them pass. *)
Fixpoint audit (rule : ending_rule) (T : array int) (n : nat) (rest : list level) (ds : list demand) : option N :=
  match n with
  | 0 =>
    let k := code rest in
    let self := T.[k] in
    if (self =? word rule self (later T rest 1 k) (finished ds))%uint63 then Some (count self) else None
  | S n =>
    let step v := audit rule T n (v :: rest) (advance v ds) in
    both (step Empty) (both (step Red) (both (step Yellow) (step Green)))
  end.

(** All of it: is the table right, how many positions are lost, and is the start. *)
Definition verdict (patterns : list pattern) (rule : ending_rule) (R C : nat) : option N * bool :=
  let T := solve patterns rule R C in
  (audit rule T (R * C - 2) [] (demands patterns R C), lost T (repeat Empty (R * C))).

(** * The proof *)

Lemma existsb_map {A B} (f : B -> bool) (g : A -> B) l : existsb f (map g l) = existsb (fun x => f (g x)) l.
Proof. induction l as [|x l IH]; cbn; [reflexivity|now rewrite IH]. Qed.

Lemma existsb_same {A} (f g : A -> bool) l : (forall x, f x = g x) -> existsb f l = existsb g l.
Proof. intros same. induction l as [|x l IH]; cbn; [reflexivity|now rewrite same, IH]. Qed.

Lemma level_eqb_spec u v : level_eqb u v = true <-> u = v.
Proof. destruct u, v; split; trivial; discriminate. Qed.

(** ** Bits *)

Definition place (u v : level) : int := (digit u + 4 * digit v)%uint63.

Lemma place_first x u v : bit (x >> 1) (place u v) = bit x (1 + place u v)%uint63.
Proof. rewrite bit_lsr. destruct u, v; reflexivity. Qed.
Lemma place_second x u v : bit (x >> 4) (place u v) = bit x (4 + place u v)%uint63.
Proof. rewrite bit_lsr. destruct u, v; reflexivity. Qed.
Lemma low_first u v : bit 30583 (place u v) = match u with Green => false | _ => true end.
Proof. destruct u, v; reflexivity. Qed.
Lemma low_second u v : bit 4095 (place u v) = match v with Green => false | _ => true end.
Proof. destruct u, v; reflexivity. Qed.
Lemma all_set u v : bit 65535 (place u v) = true.
Proof. destruct u, v; reflexivity. Qed.
Lemma mask_first_bit o u v : bit (mask_first o) (place u v) = match o with None => true | Some x => level_eqb x u end.
Proof. destruct o as [[]|], u, v; reflexivity. Qed.
Lemma mask_second_bit o u v : bit (mask_second o) (place u v) = match o with None => true | Some x => level_eqb x v end.
Proof. destruct o as [[]|], u, v; reflexivity. Qed.

(** ** Moves *)

Section Proof.
Context (T : array int).

Lemma later_spec r : forall w base j,
  bit (later T r w (base + w * code r)%uint63) j = existsb (fun m => bit T.[(base + w * code m)%uint63] j) (raises r).
Proof.
  induction r as [|v r IH]; intros w base j; [apply bit_0|].
  cbn [later code raises]. rewrite existsb_app, existsb_map.
  assert (deeper : forall c, (base + w * (digit v + 4 * c) = (base + w * digit v) + 4 * w * c)%uint63) by (intros; ring).
  rewrite (existsb_same _ (fun m => bit T.[(base + w * digit v + 4 * w * code m)%uint63] j) (raises r)) by (intros; cbn [code]; now rewrite deeper).
  rewrite <- IH, <- deeper.
  assert (raised : forall v', next v = Some v' ->
    (base + w * (digit v + 4 * code r) + w = base + w * (digit v' + 4 * code r))%uint63).
  { intros v' N. replace (digit v') with (digit v + 1)%uint63 by (destruct v, v'; discriminate || reflexivity). ring. }
  destruct v; cbn [next existsb code] in *; rewrite ?orb_false_r, ?lor_spec, ?(raised _ eq_refl); reflexivity.
Qed.

Lemma raises_lost u v r : existsb (lost T) (raises (u :: v :: r)) =
  (match next u with Some _ => bit T.[code r] (1 + place u v)%uint63 | None => false end ||
   match next v with Some _ => bit T.[code r] (4 + place u v)%uint63 | None => false end ||
   bit (later T r 1 (code r)) (place u v))%bool.
Proof.
  cbn [raises]. rewrite existsb_app, existsb_map. cbn [lost]. rewrite existsb_app, existsb_map.
  pose proof (later_spec r 1 0 (place u v))%uint63 as E. replace (0 + 1 * code r)%uint63 with (code r) in E by ring.
  rewrite E.
  rewrite (existsb_same (fun m => bit T.[(0 + 1 * code m)%uint63] (place u v)) (fun m => bit T.[code m] (place u v)))
    by (intros m; now replace (0 + 1 * code m)%uint63 with (code m) by ring).
  rewrite orb_assoc. f_equal. f_equal.
  - destruct u, v; cbn [next existsb lost]; rewrite ?orb_false_r; reflexivity.
  - destruct u, v; cbn [next existsb]; rewrite ?orb_false_r; reflexivity.
Qed.

(** A word that is as it must be has the right bits. *)
Lemma word_bits rule u v r fin :
  T.[code r] = word rule T.[code r] (later T r 1 (code r)) fin ->
  lost T (u :: v :: r) =
    let able := existsb (lost T) (raises (u :: v :: r)) in
    match rule with
    | normal => bit fin (place u v) || negb able
    | misere => negb (bit fin (place u v) || able)
    end.
Proof.
  intros E. cbn zeta. rewrite raises_lost. cbn [lost]. fold (place u v). rewrite E at 1. unfold word. destruct rule;
    rewrite ?lxor_spec, ?lor_spec, ?lxor_spec, ?lor_spec, !land_spec, low_first, low_second, place_first, place_second, all_set;
    destruct u, v; cbn [next];
    repeat match goal with |- context [bit ?x ?i] => destruct (bit x i) end; reflexivity.
Qed.
End Proof.

(** ** Completed lines *)

Fixpoint fits (d : demand) (l : list level) : bool :=
  match d, l with
  | [], [] => true
  | o :: d, v :: l => match o with None => true | Some u => level_eqb u v end && fits d l
  | _, _ => false
  end.

Definition met (ds : list demand) (l : list level) : bool := existsb (fun d => fits d l) ds.

Lemma met_advance v l ds : met ds (v :: l) = met (advance v ds) l.
Proof.
  unfold met. induction ds as [|[|[u|] d] ds IH]; cbn; trivial.
  - destruct (level_eqb u v); cbn; now rewrite IH.
  - now rewrite IH.
Qed.

Lemma met_finished u v ds : bit (finished ds) (place u v) = met ds [v; u].
Proof.
  unfold met. induction ds as [|[|o [|o' [|o'' d]]] ds IH]; cbn [finished existsb fits]; rewrite ?lor_spec, ?IH.
  - apply bit_0.
  - reflexivity.
  - now rewrite andb_false_r.
  - now rewrite land_spec, mask_first_bit, mask_second_bit, andb_true_r.
  - now rewrite !andb_false_r.
Qed.

Lemma fits_map (f : square -> option level) (p : square -> level) ss :
  fits (map f ss) (map p ss) = true <-> forall s u, In s ss -> f s = Some u -> p s = u.
Proof.
  induction ss as [|s ss IH]; cbn [map fits]; [now split|]. rewrite andb_true_iff, IH. split.
  - intros [here there] t u [<-|H] E; [|eauto]. rewrite E in here. now apply level_eqb_spec in here.
  - intros all. split; [|intros; apply all; [now right|assumption]].
    destruct (f s) as [u|] eqn:E; [|reflexivity]. apply level_eqb_spec. symmetry. apply all; [now left|exact E].
Qed.

Lemma met_demands patterns R C l : length l = R * C ->
  met (demands patterns R C) (rev l) = true <-> completed patterns R C (shown R C l).
Proof.
  intros len. unfold met, demands, completed.
  assert (E : rev l = map (shown R C l) (rev (squares R C))).
  { rewrite map_rev. f_equal. symmetry. exact (holds_all Empty R C l len). }
  rewrite E, existsb_exists. clear E.
  assert (one : forall a b c x y z, board_line R C a b c ->
    fits (demand_of R C (a, b, c) (x, y, z)) (map (shown R C l) (rev (squares R C))) = true <->
    (shown R C l a, shown R C l b, shown R C l c) = (x, y, z)).
  { intros a b c x y z (m & Ha & Hb & Hc). unfold demand_of. rewrite fits_map.
    destruct (line_distinct _ _ _ m) as (ab & bc & ac). split.
    - intros all. apply in_squares in Ha, Hb, Hc. rewrite (all a x), (all b y), (all c z); trivial;
        try (now apply -> in_rev); repeat destruct (square_dec _ _); congruence.
    - intros E s u _. injection E as <- <- <-. repeat destruct (square_dec _ _); congruence. }
  split.
  - intros (d & H & F). apply in_flat_map in H as ([[a b] c] & m & H). apply in_lines in m.
    apply in_map_iff in H as ([[x y] z] & <- & H). apply one in F; trivial. exists a, b, c. now rewrite F.
  - intros (a & b & c & m & H). exists (demand_of R C (a, b, c) (shown R C l a, shown R C l b, shown R C l c)).
    split; [|now apply one]. apply in_flat_map. exists (a, b, c). rewrite in_lines. split; [exact m|]. now apply in_map.
Qed.

(** ** A table that passes the audit is correct *)

Lemma both_some a b n : both a b = Some n -> exists x y, a = Some x /\ b = Some y /\ n = (x + y)%N.
Proof. destruct a as [x|], b as [y|]; try discriminate. intros [= <-]. eauto. Qed.

Lemma audit_word rule T n : forall rest ds N, audit rule T n rest ds = Some N -> forall x, length x = n ->
  let r := x ++ rest in exists fin,
    T.[code r] = word rule T.[code r] (later T r 1 (code r)) fin /\
    forall u v, bit fin (place u v) = met ds (rev (u :: v :: x)).
Proof.
  induction n as [|n IH]; intros rest ds N; cbn [audit].
  - destruct (_ =? _)%uint63 eqn:E; [|discriminate]. intros _ [|? ?]; [intros _|discriminate].
    exists (finished ds). split; [now apply eqb_correct|]. intros u v. apply met_finished.
  - intros E x len. destruct (exists_last (l := x)) as (y & d & ->); [now intros ->|].
    rewrite app_length in len. cbn in len. assert (length y = n) as len' by lia.
    apply both_some in E as (a0 & a & E0 & E & _). apply both_some in E as (a1 & a' & E1 & E & _).
    apply both_some in E as (a2 & a3 & E2 & E3 & _).
    assert (exists m, audit rule T n (d :: rest) (advance d ds) = Some m) as [m Em] by (destruct d; eauto).
    destruct (IH _ _ _ Em y len') as (fin & W & F). cbn zeta. rewrite <- app_assoc. exists fin. split; [exact W|].
    intros u v. rewrite F. rewrite !app_comm_cons, rev_app_distr. cbn [rev app]. now rewrite <- met_advance.
Qed.

(** [P] holds of exactly [n] positions of a board. *)
Definition counted (R C : nat) (P : lights_position -> Prop) (n : N) : Prop :=
  exists all : list (list level), NoDup all /\
    (forall l, In l all <-> length l = R * C /\ P (shown R C l)) /\ N.of_nat (length all) = n.

Lemma in_every n l : In l (every n) <-> length l = n.
Proof.
  revert l. induction n as [|n IH]; intros l; cbn [every].
  - split; [now intros [<-|[]]|]. destruct l; [now left|discriminate].
  - rewrite in_flat_map. split.
    + intros (v & _ & H). apply in_map_iff in H as (m & <- & H). apply IH in H. rewrite app_length. cbn. lia.
    + intros len. destruct (exists_last (l := l)) as (m & v & ->); [now intros ->|]. exists v.
      split; [destruct v; cbn; tauto|]. apply in_map_iff. exists m. split; [reflexivity|]. apply IH.
      rewrite app_length in len. cbn in len. lia.
Qed.

Lemma NoDup_both {A} (l m : list A) : NoDup l -> NoDup m -> (forall x, In x l -> In x m -> False) -> NoDup (l ++ m).
Proof.
  intros Hl Hm apart. induction Hl as [|x l new _ IH]; cbn in *; [exact Hm|]. constructor.
  - rewrite in_app_iff. intros [H|H]; eauto.
  - apply IH. eauto.
Qed.

Lemma every_once n : NoDup (every n).
Proof.
  induction n as [|n IH]; cbn [every]; [repeat constructor; intros []|].
  assert (apart : forall vs, NoDup vs -> NoDup (flat_map (fun v => map (fun l => l ++ [v]) (every n)) vs)).
  { induction 1 as [|v vs new _ IHvs]; cbn; [constructor|]. apply NoDup_both; [|exact IHvs|].
    - apply Injective_map_NoDup; [|exact IH]. intros l m E. now apply app_inj_tail in E.
    - intros l H H'. apply in_map_iff in H as (m & <- & _). apply in_flat_map in H' as (v' & H' & H).
      apply in_map_iff in H as (m' & E & _). apply app_inj_tail in E as [_ ->]. contradiction. }
  apply apart. repeat constructor; cbn; intuition discriminate.
Qed.

Lemma audit_count rule T n : forall rest ds N, audit rule T n rest ds = Some N ->
  N.of_nat (length (filter (fun x => lost T (x ++ rest)) (every (2 + n)))) = N.
Proof.
  induction n as [|n IH]; intros rest ds N; cbn [audit].
  - destruct (_ =? _)%uint63; [|discriminate]. intros [= <-]. unfold count.
    change bits with (map code (every 2)).
    assert (two : forall x, In x (every 2) -> lost T (x ++ rest) = bit T.[code rest] (code x)).
    { intros x H. apply in_every in H. destruct x as [|u [|v [|w x]]]; try discriminate.
      cbn [app lost code]. f_equal. destruct u, v; reflexivity. }
    change (2 + 0) with 2. induction (every 2) as [|x l IHl]; [reflexivity|]. cbn [filter map fold_right].
    rewrite <- IHl by (intros; apply two; now right). rewrite (two x) by (now left).
    destruct (bit _ _); [|reflexivity]. cbn [length]. apply Nat2N.inj_succ.
  - intros E. apply both_some in E as (n0 & m & E0 & E & ->). apply both_some in E as (n1 & m' & E1 & E & ->).
    apply both_some in E as (n2 & n3 & E2 & E3 & ->).
    assert (one : forall v k, audit rule T n (v :: rest) (advance v ds) = Some k ->
      N.of_nat (length (filter (fun x => lost T (x ++ rest)) (map (fun l => l ++ [v]) (every (2 + n))))) = k).
    { intros v k E. rewrite <- (IH _ _ _ E). f_equal. generalize (every (2 + n)) as l. clear. induction l as [|x l IHl]; [reflexivity|].
      cbn [map filter]. rewrite <- app_assoc. cbn [app]. destruct (lost _ _); cbn [length]; now rewrite IHl. }
    change (every (2 + S n)) with (flat_map (fun v => map (fun l => l ++ [v]) (every (2 + n))) levels).
    unfold levels. cbn [flat_map]. rewrite app_nil_r, !filter_app, !app_length, !Nat2N.inj_add.
    now rewrite (one _ _ E0), (one _ _ E1), (one _ _ E2), (one _ _ E3).
Qed.

(** * What a table proves *)

Section Right.
Context (patterns : list pattern) (rule : ending_rule) (R C : nat).
Hypothesis both_ways : reversible patterns.
Hypothesis ggg : In (Green, Green, Green) patterns.
Hypothesis big : 3 <= R /\ 1 <= C \/ 3 <= C /\ 1 <= R.
Context (T : array int) (total : N).
Hypothesis passes : audit rule T (R * C - 2) [] (demands patterns R C) = Some total.
Let G := lights patterns rule R C.

Lemma lost_by_rule l : length l = R * C -> lost T l =
  let able := existsb (lost T) (raises l) in
  match rule with
  | normal => completedb patterns R C (shown R C l) || negb able
  | misere => negb (completedb patterns R C (shown R C l) || able)
  end.
Proof.
  intros len. destruct l as [|u [|v x]]; cbn [length] in len; [lia|lia|].
  destruct (audit_word _ _ _ _ _ _ passes x) as (fin & W & F); [lia|]. rewrite app_nil_r in *.
  rewrite (word_bits T rule u v x fin W), F.
  assert (E : met (demands patterns R C) (rev (u :: v :: x)) = completedb patterns R C (shown R C (u :: v :: x))).
  { apply eq_true_iff_eq. now rewrite met_demands, completedb_spec. }
  now rewrite E.
Qed.

(** In a finished position the bit says who has won; in others, whether a move leads to a lost position. *)
Theorem every_bit l : length l = R * C ->
  (lost T l = true -> mover_loses (G := G) (shown R C l)) /\ (lost T l = false -> mover_wins (G := G) (shown R C l)).
Proof.
  enough (all : forall p l, p = shown R C l -> length l = R * C ->
    (lost T l = true -> mover_loses (G := G) p) /\ (lost T l = false -> mover_wins (G := G) p)) by (intros; now apply all).
  clear l. intros p. induction p as [p IH] using (well_founded_induction (Wf_nat.well_founded_ltof _ (left R C))).
  intros l -> len. rewrite (lost_by_rule l len). cbn zeta.
  destruct (completed_dec patterns R C (shown R C l)) as [done|open].
  - apply completedb_spec in done as E. rewrite E. cbn [orb negb].
    destruct rule eqn:D; (split; [|]); try discriminate; intros _;
      [apply other_has with Lost|apply mover_has with Won]; try reflexivity; left; subst; auto.
  - assert (E : completedb patterns R C (shown R C l) = false) by (rewrite <- completedb_spec in open; now apply not_true_is_false).
    rewrite E. cbn [orb].
    assert (below : forall m, In m (raises l) ->
      (lost T m = true -> mover_loses (G := G) (shown R C m)) /\ (lost T m = false -> mover_wins (G := G) (shown R C m))).
    { intros m H. apply (IH (shown R C m)); [|reflexivity|now rewrite (raises_length l m H)].
      destruct (raises_raised R C l m len H) as (s & Hs & up). now apply raised_left with s. }
    assert (able : existsb (lost T) (raises l) = true -> mover_wins (G := G) (shown R C l)).
    { intros H. apply existsb_exists in H as (m & H & L). destruct (raises_raised R C l m len H) as (s & Hs & up).
      apply mover_plays with (shown R C m); [split; eauto|]. now apply below. }
    assert (unable : existsb (lost T) (raises l) = false -> mover_loses (G := G) (shown R C l)).
    { intros H. apply other_waits; [now apply has_move|]. intros q (_ & s & Hs & up).
      destruct (raised_raises R C l s q len Hs up) as (m & Hm & same).
      apply (alike_forces patterns rule R C win (shown R C m) q both_ways); [intros t Ht; now rewrite same|].
      apply below; [exact Hm|]. apply not_true_is_false. intros L. rewrite <- not_true_iff_false in H. apply H.
      apply existsb_exists. eauto. }
    destruct rule, (existsb (lost T) (raises l)); cbn [negb]; split; auto; discriminate.
Qed.

(** The bit of a position is set exactly where the player to move loses. *)
Theorem table_right l : length l = R * C -> (lost T l = true <-> mover_loses (G := G) (shown R C l)).
Proof.
  intros len. destruct (every_bit l len) as [loses wins]. split; [exact loses|]. intros L.
  destruct (lost T l); [reflexivity|]. exfalso. apply (not_both G (shown R C l)); auto. apply lights_end_once.
Qed.

Theorem table_counts : counted R C (mover_loses (G := G)) total.
Proof.
  exists (filter (lost T) (every (R * C))). split; [now apply NoDup_filter, every_once|]. split.
  - intros l. rewrite filter_In, in_every. split; intros [len H]; (split; [exact len|]); now apply (table_right l len).
  - rewrite <- (audit_count _ _ _ _ _ _ passes). replace (2 + (R * C - 2)) with (R * C) by nia. do 2 f_equal.
    apply filter_ext. intros l. now rewrite app_nil_r.
Qed.

Theorem table_start : if lost T (repeat Empty (R * C)) then second_player_wins G else first_player_wins G.
Proof.
  destruct (every_bit (repeat Empty (R * C)) (repeat_length _ _)) as [loses wins].
  destruct (alike_forces patterns rule R C win _ _ both_ways (start_shown patterns rule R C)) as [mover_start other_start].
  destruct (lost T (repeat Empty (R * C))); [exact (other_start (loses eq_refl))|exact (mover_start (wins eq_refl))].
Qed.
End Right.

(** A table of all positions decides which of them are lost, and how many. *)
Definition strongly_solved (patterns : list pattern) (rule : ending_rule) (R C : nat) (total : N) : Prop :=
  (forall l, length l = R * C ->
     (lost (solve patterns rule R C) l = true <-> mover_loses (G := lights patterns rule R C) (shown R C l))) /\
  counted R C (mover_loses (G := lights patterns rule R C)) total.

Theorem solved patterns rule R C total second : reversible patterns -> In (Green, Green, Green) patterns ->
  (3 <= R /\ 1 <= C \/ 3 <= C /\ 1 <= R) -> verdict patterns rule R C = (Some total, second) ->
  strongly_solved patterns rule R C total /\
  if second then second_player_wins (lights patterns rule R C) else first_player_wins (lights patterns rule R C).
Proof.
  intros both_ways ggg big E. apply pair_equal_spec in E as [passes <-]. split; [split|].
  - intros l. now apply table_right with total.
  - now apply table_counts with (solve patterns rule R C).
  - now apply table_start with total.
Qed.
