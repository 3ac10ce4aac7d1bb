(** The games: the meaning of a position, a move, the end of play, and a win.

    Every theorem of this folder is about these definitions and no others. Beside a definition of a game stands a
    sentence of the rules, word for word from the pages in docs/rules; on values, from docs/questions.md. *)

From Coq Require Import List.
Import ListNotations.

(** * Two players who move in turn *)

(** How a finished game stands, from the point of view of the player to move. *)
Inductive ending := Won | Lost | Drawn.

(** The same ending from the point of view of the other player. *)
Definition turned (e : ending) : ending :=
  match e with Won => Lost | Lost => Won | Drawn => Drawn end.

Record game := {
  position : Type;
  start : position;
  move : position -> position -> Prop;  (* the player to move can turn the first into the second *)
  ended : position -> ending -> Prop    (* the game is over, and stands so *)
}.

(** By [mover_forces goal p], the player to move in [p] can play so that, whatever the other does, the game ends,
    and ends in a way that is among the player's [goal]. By [other_forces goal p], the other player can. *)
Inductive mover_forces {G : game} (goal : ending -> Prop) : position G -> Prop :=
| mover_has p e : ended G p e -> goal e -> mover_forces goal p
| mover_plays p q : move G p q -> other_forces goal q -> mover_forces goal p
with other_forces {G : game} (goal : ending -> Prop) : position G -> Prop :=
| other_has p e : ended G p e -> goal (turned e) -> other_forces goal p
| other_waits p : (exists q, move G p q) -> (forall q, move G p q -> mover_forces goal q) -> other_forces goal p.

Definition win (e : ending) : Prop := e = Won.
Definition no_loss (e : ending) : Prop := e <> Lost.

(** "The value of a position is for the player to move." *)
Definition mover_wins {G : game} (p : position G) : Prop := mover_forces win p.
Definition mover_loses {G : game} (p : position G) : Prop := other_forces win p.

Definition first_player_wins (G : game) : Prop := mover_wins (start G).
Definition second_player_wins (G : game) : Prop := mover_loses (start G).
Definition first_player_never_loses (G : game) : Prop := mover_forces no_loss (start G).
Definition second_player_never_loses (G : game) : Prop := other_forces no_loss (start G).
Definition draw (G : game) : Prop := first_player_never_loses G /\ second_player_never_loses G.

(** * Boards *)

(** A square is a file and a rank, both counted from 0: a1 is (0, 0), b1 is (1, 0). A board of R × C has R ranks
    and C files. *)
Definition square : Set := nat * nat.
Definition on_board (R C : nat) (s : square) : Prop := fst s < C /\ snd s < R.

(** "Three neighbouring squares in a row, a column or a diagonal; lines do not wrap." *)
Inductive line : square -> square -> square -> Prop :=
| east f r : line (f, r) (1 + f, r) (2 + f, r)
| north f r : line (f, r) (f, 1 + r) (f, 2 + r)
| north_east f r : line (f, r) (1 + f, 1 + r) (2 + f, 2 + r)
| south_east f r : line (f, 2 + r) (1 + f, 1 + r) (2 + f, r).

Definition board_line (R C : nat) (a b c : square) : Prop :=
  line a b c /\ on_board R C a /\ on_board R C b /\ on_board R C c.

(** * Traffic lights *)

(** "A square is empty (level 0) or shows red, yellow or green (levels 1, 2 and 3)." *)
Inductive level := Empty | Red | Yellow | Green.

(** "an empty one to red, a red one to yellow, a yellow one to green. Green is final." *)
Definition next (v : level) : option level :=
  match v with Empty => Some Red | Red => Some Yellow | Yellow => Some Green | Green => None end.

Definition lights_position := square -> level.

Definition raised (s : square) (p q : lights_position) : Prop :=
  next (p s) = Some (q s) /\ forall t, t <> s -> q t = p t.

(** A pattern is what a line shows from its first square to its last. "Three equal lights"; "a signal: red, yellow,
    green along the line, read from either end"; "Three green lights, and nothing else." *)
Definition pattern : Set := level * level * level.
Definition classic_patterns : list pattern := [(Red, Red, Red); (Yellow, Yellow, Yellow); (Green, Green, Green)].
Definition signal_patterns : list pattern := classic_patterns ++ [(Red, Yellow, Green); (Green, Yellow, Red)].
Definition green_patterns : list pattern := [(Green, Green, Green)].

(** Some line of the board shows a pattern. *)
Definition completed (patterns : list pattern) (R C : nat) (p : lights_position) : Prop :=
  exists a b c, board_line R C a b c /\ In (p a, p b, p c) patterns.

Definition lights_move (patterns : list pattern) (R C : nat) (p q : lights_position) : Prop :=
  ~ completed patterns R C p /\ exists s, on_board R C s /\ raised s p q.

(** "The player whose move completes a line wins": so whoever is to move then has lost. Misère: "completing a line
    loses"; "a player without a move, where no line stands, ends the game as a draw." *)
Inductive ending_rule := normal | misere.
Definition at_line (rule : ending_rule) : ending := match rule with normal => Lost | misere => Won end.

Definition lights (patterns : list pattern) (rule : ending_rule) (R C : nat) : game := {|
  position := lights_position;
  start := fun _ => Empty;
  move := lights_move patterns R C;
  ended := fun p e =>
    completed patterns R C p /\ e = at_line rule \/
    ~ completed patterns R C p /\ ~ (exists q, lights_move patterns R C p q) /\ e = Drawn
|}.

Definition classic := lights classic_patterns normal.
Definition signal := lights signal_patterns normal.
Definition green := lights green_patterns normal.
Definition classic_misere := lights classic_patterns misere.
Definition signal_misere := lights signal_patterns misere.
Definition green_misere := lights green_patterns misere.

(** * Noughts and crosses *)

(** "Player 1 puts X, player 2 puts O, in turn, each on an empty square." *)
Inductive mark := Cross | Nought.
Definition other (m : mark) : mark := match m with Cross => Nought | Nought => Cross end.

(** Whose turn it is, and what each square holds. *)
Definition noughts_position : Type := mark * (square -> option mark).

(** "The first player with a line of own marks wins at once." Misère: "a line loses". Only who moved last can. *)
Definition three (R C : nat) (p : noughts_position) : Prop :=
  exists a b c, board_line R C a b c /\
    snd p a = Some (other (fst p)) /\ snd p b = Some (other (fst p)) /\ snd p c = Some (other (fst p)).

Definition noughts_move (R C : nat) (p q : noughts_position) : Prop :=
  ~ three R C p /\ fst q = other (fst p) /\ exists s, on_board R C s /\
    snd p s = None /\ snd q s = Some (fst p) /\ forall t, t <> s -> snd q t = snd p t.

(** "A full board without a line is a draw." *)
Definition noughts_with (rule : ending_rule) (R C : nat) : game := {|
  position := noughts_position;
  start := (Cross, fun _ => None);
  move := noughts_move R C;
  ended := fun p e =>
    three R C p /\ e = at_line rule \/
    ~ three R C p /\ ~ (exists q, noughts_move R C p q) /\ e = Drawn
|}.

Definition noughts := noughts_with normal.
Definition noughts_misere := noughts_with misere.
