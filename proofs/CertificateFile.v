(** The file that `greenwave certify` writes: read line by line, checked, and what a checked file proves.

    docs/certificates.md describes the file. [check] is what runs, inside Rocq and as an OCaml program;
    [check_sound] is why it can be believed: a file that is accepted states a truth. *)

From Coq Require Import List Arith NArith Bool String Ascii Lia.
From Greenwave Require Import Game Basics Lists Copying Certificate CertificateNoughts.
Import ListNotations.
Local Open Scope string_scope.
Local Open Scope nat_scope.

(** * What a certificate claims *)

Inductive family := Classic | Signal | Greens | NoughtsCrosses.
Inductive player := First | Second.
Inductive aim := Wins | NeverLoses.

Record claim := { of_family : family; of_rule : ending_rule; ranks : nat; files : nat; of_player : player; of_aim : aim }.

Definition patterns_of (f : family) : list pattern :=
  match f with Classic => classic_patterns | Signal => signal_patterns | Greens => green_patterns | NoughtsCrosses => [] end.

Definition game_of (c : claim) : game :=
  match of_family c with
  | NoughtsCrosses => noughts_with (of_rule c) (ranks c) (files c)
  | f => lights (patterns_of f) (of_rule c) (ranks c) (files c)
  end.

Definition states (c : claim) : Prop :=
  match of_player c, of_aim c with
  | First, Wins => first_player_wins (game_of c)
  | Second, Wins => second_player_wins (game_of c)
  | First, NeverLoses => first_player_never_loses (game_of c)
  | Second, NeverLoses => second_player_never_loses (game_of c)
  end.

(** * Checking *)

Definition wanted (a : aim) (e : ending) : bool :=
  match a, e with Wins, Won => true | NeverLoses, (Won | Drawn) => true | _, _ => false end.

Inductive failure := WrongReply (x : entry) | NoAnswerAtStart.

Section Replies.
Context (c : claim) (entries : list entry).
Context (standing : list level -> option ending) (moves : list level -> list (list level)) (now : list level -> bool).

(** The first thing that is wrong. *)
Definition failing_with (images : list (list level -> list level)) (known : trie) : option failure :=
  let listed l := member l known in
  let begin := repeat Empty (ranks c * files c) in
  let enough := match of_player c with
    | First => answered standing now images (wanted (of_aim c)) listed begin
    | Second => covered standing moves now images (wanted (of_aim c)) listed begin
    end in
  match wrong standing moves now images (wanted (of_aim c)) listed entries with
  | Some x => Some (WrongReply x)
  | None => if enough then None else Some NoAnswerAtStart
  end.
End Replies.

Definition failing (c : claim) (entries : list entry) : option failure :=
  let cells := cell_lines (ranks c) (files c) in
  let images := rearrangements (ranks c) (files c) in
  let known := set_of fst entries in
  match of_family c with
  | NoughtsCrosses => failing_with c entries (noughts_standing (of_rule c) cells) noughts_moves
      (noughts_now (of_rule c) cells) images known
  | f => failing_with c entries (lights_standing (patterns_of f) (of_rule c) cells) raises
      (lights_now (patterns_of f) (of_rule c) cells) images known
  end.

Lemma wanted_goal a e : wanted a e = true <-> match a with Wins => win e | NeverLoses => no_loss e end.
Proof. unfold win, no_loss. destruct a, e; cbn; split; intros H; try discriminate; try reflexivity; try congruence. Qed.

Lemma weaker G (g h : ending -> Prop) : (forall e, g e -> h e) ->
  (forall p, mover_forces (G := G) g p -> mover_forces (G := G) h p) /\
  (forall p, other_forces (G := G) g p -> other_forces (G := G) h p).
Proof.
  intros less. apply forces_ind.
  - intros p e over H. apply mover_has with e; auto.
  - intros p q step _ IH. now apply mover_plays with q.
  - intros p e over H. apply other_has with e; auto.
  - intros p step _ IH. now apply other_waits.
Qed.

(** The goal is the claim. *)
Lemma states_forces c :
  (of_player c = First -> mover_forces (fun e => wanted (of_aim c) e = true) (start (game_of c)) -> states c) /\
  (of_player c = Second -> other_forces (fun e => wanted (of_aim c) e = true) (start (game_of c)) -> states c).
Proof.
  unfold states.
  split; intros E F; rewrite E; destruct (of_aim c);
    (eapply weaker; [|exact F]); intros e H; now apply wanted_goal in H.
Qed.

Theorem failing_sound c entries : failing c entries = None -> states c.
Proof.
  assert (won : wanted (of_aim c) Won = true) by (destruct (of_aim c); reflexivity).
  assert (both : reversible (patterns_of (of_family c))).
  { destruct (of_family c); [exact classic_reversible|exact signal_reversible|exact green_reversible|intros ? ? ? []]. }
  pose proof (states_forces c) as [first second]. unfold game_of in first, second.
  unfold failing. cbv zeta. intros H.
  set (length_right := repeat_length Empty (ranks c * files c)).
  destruct (of_family c) eqn:F.
  4: { pose proof (noughts_start (of_rule c) (ranks c) (files c)) as begin.
    unfold failing_with in H. cbv zeta in H. destruct (wrong _ _ _ _ _ _ _) eqn:W; [discriminate|].
    destruct (of_player c); [apply first|apply second]; trivial;
      match type of H with (if ?b then _ else _) = None => destruct b eqn:A; [|discriminate] end;
      (eapply noughts_image_forces; [exact (identity _ _)|exact begin|]).
    - eapply answered_forces with (size := empties); [| |exact (noughts_faithful _ _ _ _ won)|exact W|exact length_right|exact A].
      + intros l m Hm. now apply moves_other.
      + intros l i. apply noughts_as_long.
    - eapply covered_all with (size := empties); [| |exact (noughts_faithful _ _ _ _ won)|exact W|exact length_right|exact A].
      + intros l m Hm. now apply moves_other.
      + intros l i. apply noughts_as_long. }
  all: match type of H with context [lights_standing ?p _ _] =>
      pose proof (start_shown p (of_rule c) (ranks c) (files c)) as begin;
      unfold failing_with in H; cbv zeta in H; destruct (wrong _ _ _ _ _ _ _) eqn:W; [discriminate|];
      destruct (of_player c); [apply first|apply second]; trivial;
      match type of H with (if ?b then _ else _) = None => destruct b eqn:A; [|discriminate] end;
      (eapply alike_forces; [exact both|exact begin|]);
      [eapply answered_forces with (size := lights_size); [| |exact (lights_faithful _ _ _ _ _ both won)|exact W|exact length_right|exact A]
      |eapply covered_all with (size := lights_size); [| |exact (lights_faithful _ _ _ _ _ both won)|exact W|exact length_right|exact A]]
    end.
  all: try (intros l m Hm; now apply lights_shorter); intros l i; apply lights_as_long.
Qed.

(** * Reading *)

(** Wrong: it is a certificate, and its replies do not do what it claims. *)
Inductive answer := Accepted (c : claim) (replies : N) | Wrong (reason : string) | NoCertificate (reason : string).

Infix "++++" := (@List.app string) (at level 60, right associativity).

Definition found (what expected : string) : string := "found " ++ what ++ ", expected " ++ expected.
Definition quoted (s : string) : string := "'" ++ s ++ "'".

(** The rest of a text that begins so. *)
Fixpoint after (beginning s : string) : option string :=
  match beginning, s with
  | EmptyString, _ => Some s
  | String a b, String c t => if Ascii.eqb a c then after b t else None
  | _, _ => None
  end.

Definition digit_of (a : ascii) : option nat :=
  let n := nat_of_ascii a in if (48 <=? n) && (n <=? 57) then Some (n - 48) else None.

(** A number of at most two digits, and what follows it. *)
Definition short_number (s : string) : option (nat * string) :=
  match s with
  | String a t =>
    match digit_of a, t with
    | None, _ => None
    | Some x, String b u => match digit_of b with Some y => Some (10 * x + y, u) | None => Some (x, t) end
    | Some x, EmptyString => Some (x, t)
    end
  | EmptyString => None
  end.

(** A number of any length, to the end of the text. *)
Fixpoint number (s : string) (n : N) : option N :=
  match s with
  | EmptyString => Some n
  | String a t => match digit_of a with Some x => number t (10 * n + N.of_nat x)%N | None => None end
  end.

Definition sized (s : string) (f : family) : option (family * ending_rule * nat * nat) :=
  match short_number s with
  | Some (r, t) =>
    match after "x" t with
    | Some u =>
      match short_number u with
      | Some (c, "") => Some (f, normal, r, c)
      | Some (c, ":play=misere") => Some (f, misere, r, c)
      | _ => None
      end
    | None => None
    end
  | None => None
  end.

Definition variant (s : string) : option (family * ending_rule * nat * nat) :=
  match after "classic-" s, after "signal-" s, after "green-" s, after "noughts-" s with
  | Some t, _, _, _ => sized t Classic
  | _, Some t, _, _ => sized t Signal
  | _, _, Some t, _ => sized t Greens
  | _, _, _, Some t => sized t NoughtsCrosses
  | _, _, _, _ => None
  end.

(** The lines that spell out the rules, which each certificate has to have. *)
Definition rules_of (f : family) (rule : ending_rule) (R C : nat) : list string :=
  let row := String.concat "" (repeat "#" C) in
  let ends := "completed line " ++ match rule with normal => "wins" | misere => "loses" end in
  ["greenwave rules 1"; "board " ++ String.concat "/" (repeat row R); "line-length 3"] ++++
  match f with
  | NoughtsCrosses => ["marks of each player"; "a move marks an empty square"; ends; "full board draw"]
  | _ => ["levels 3"] ++++
    match f with
    | Classic => ["pattern 111"; "pattern 222"; "pattern 333"]
    | Signal => ["pattern 111"; "pattern 222"; "pattern 333"; "pattern 123"; "pattern 321"]
    | _ => ["pattern 333"]
    end ++++ [ends; "supply unlimited"; "stalemate draw"]
  end ++++ [""].

(** The lines after those that are expected, or the first that differs. *)
Fixpoint after_lines (expected lines : list string) : list string + string :=
  match expected, lines with
  | [], _ => inl lines
  | e :: es, l :: ls => if String.eqb e l then after_lines es ls else inr (found ("the line " ++ quoted l) (quoted e))
  | e :: _, [] => inr (found "the end" (quoted e))
  end.

Definition letter (f : family) (a : ascii) : option level :=
  match f, a with
  | _, "."%char => Some Empty
  | NoughtsCrosses, "X"%char => Some Red
  | NoughtsCrosses, "O"%char => Some Yellow
  | NoughtsCrosses, _ => None
  | _, "R"%char => Some Red
  | _, "Y"%char => Some Yellow
  | _, "G"%char => Some Green
  | _, _ => None
  end.

(** The rows of a position up to the space after it, the lowest first, and the rest. *)
Fixpoint rows (f : family) (s : string) (row : list level) (above : list (list level)) : option (list (list level) * string) :=
  match s with
  | EmptyString => None
  | String "/" t => rows f t [] (rev row :: above)
  | String " " t => Some (rev row :: above, t)
  | String a t => match letter f a with Some v => rows f t (v :: row) above | None => None end
  end.

Fixpoint put (v : level) (i : nat) (l : list level) : list level :=
  match l, i with [], _ => [] | _ :: r, 0 => v :: r | u :: r, S i => u :: put v i r end.

Definition read_entry (c : claim) (s : string) : option entry :=
  match rows (of_family c) s [] [] with
  | None => None
  | Some (lowest_first, reply) =>
    let l := List.concat lowest_first in
    match reply with
    | EmptyString => None
    | String a t =>
      match short_number t with
      | None => None
      | Some (r, light) =>
        let f := nat_of_ascii a - 97 in
        let v := match of_family c, light with
          | NoughtsCrosses, "" => Some (written (to_move l))
          | NoughtsCrosses, _ => None
          | _, String b "" => letter (of_family c) b
          | _, _ => None
          end in
        match v with
        | Some v =>
          if (List.length lowest_first =? ranks c) && forallb (fun row => List.length row =? files c) lowest_first &&
             (97 <=? nat_of_ascii a) && (f <? files c) && (1 <=? r) && (r <=? ranks c)
          then Some (l, put v (f + files c * (r - 1)) l) else None
        | None => None
        end
      end
    end
  end.

Fixpoint read_entries (c : claim) (lines : list string) (sofar : list entry) (n : N) : (list entry * N) + string :=
  match lines with
  | [] => inl (sofar, n)
  | s :: lines =>
    match read_entry c s with
    | Some x => read_entries c lines (x :: sofar) (N.succ n)
    | None => inr (found (quoted s) "a position, one space, and a square (with its new light)")
    end
  end.

Definition glyph (f : family) (v : level) : string :=
  match f, v with
  | _, Empty => "." | NoughtsCrosses, Red => "X" | NoughtsCrosses, _ => "O"
  | _, Red => "R" | _, Yellow => "Y" | _, Green => "G"
  end.

Fixpoint show_rows (c : claim) (n : nat) (l : list level) : list string :=
  match n with
  | 0 => []
  | S n => show_rows c n (skipn (files c) l) ++++ [String.concat "" (map (glyph (of_family c)) (firstn (files c) l))]
  end.
Definition show (c : claim) (l : list level) : string := String.concat "/" (show_rows c (ranks c) l).

(** The claim that the lines after the first make, and the lines after it. *)
Definition read_claim (lines : list string) : (claim * list string) + string :=
  match lines with
  | name :: rest =>
    match after "variant " name with
    | None => inr (found (quoted name) "the line 'variant NAME'")
    | Some name =>
      match variant name with
      | None => inr (found ("the variant " ++ quoted name)
          "classic, signal, green or noughts, a size, and :play=misere or nothing, such as classic-3x4")
      | Some (f, rule, R, C) =>
        if negb ((1 <=? R * C) && (R * C <=? 32)) then inr (found ("a board of the size of " ++ name) "1 to 32 squares")
        else
          let claim p a := {| of_family := f; of_rule := rule; ranks := R; files := C; of_player := p; of_aim := a |} in
          match rest with
          | "winner first" :: rest => inl (claim First Wins, rest)
          | "winner second" :: rest => inl (claim Second Wins, rest)
          | "player first" :: "result draw" :: rest => inl (claim First NeverLoses, rest)
          | "player second" :: "result draw" :: rest => inl (claim Second NeverLoses, rest)
          | l :: _ => inr (found (quoted l) "'winner first', 'winner second', or a player and 'result draw'")
          | [] => inr (found "the end" "who wins")
          end
      end
    end
  | [] => inr (found "the end" "the line 'variant NAME'")
  end.

Definition check (lines : list string) : answer :=
  match after_lines ["greenwave certificate 1"] lines with
  | inr why => NoCertificate why
  | inl lines =>
    match read_claim lines with
    | inr why => NoCertificate why
    | inl (c, lines) =>
      match after_lines (rules_of (of_family c) (of_rule c) (ranks c) (files c)) lines with
      | inr why => NoCertificate why
      | inl [] => NoCertificate (found "the end" "the line 'positions N'")
      | inl (count :: lines) =>
        match after "positions " count with
        | None | Some "" => NoCertificate (found (quoted count) "the line 'positions N'")
        | Some digits =>
          match read_entries c lines [] 0 with
          | inr why => NoCertificate why
          | inl (entries, n) =>
            match number digits 0 with
            | None => NoCertificate (found (quoted count) "the line 'positions N'")
            | Some m =>
              if negb (n =? m)%N then NoCertificate (found ("another number of replies than " ++ quoted digits) "that many")
              else match failing c entries with
                | None => Accepted c n
                | Some NoAnswerAtStart => Wrong "the start has no answer in the list"
                | Some (WrongReply (l, m)) => Wrong ("after " ++ show c l ++
                    " the reply is illegal, or a defence against it has no answer, or nothing needs a reply")
                end
            end
          end
        end
      end
    end
  end.

(** A file that is accepted states a truth. *)
Theorem check_sound lines c n : check lines = Accepted c n -> states c.
Proof.
  unfold check. intros H.
  destruct (after_lines _ lines) as [l1|]; [|discriminate]. destruct (read_claim l1) as [[c' l2]|]; [|discriminate].
  destruct (after_lines _ l2) as [[|count l3]|]; [discriminate| |discriminate].
  destruct (after "positions " count) as [[|a digits]|]; [discriminate| |discriminate].
  destruct (read_entries c' l3 [] 0) as [[entries k]|]; [|discriminate].
  destruct (number _ 0) as [m|]; [|discriminate]. destruct (negb (k =? m)%N); [discriminate|].
  destruct (failing c' entries) as [[[l m']|]|] eqn:F; try discriminate.
  injection H as <- _. now apply failing_sound in F.
Qed.
