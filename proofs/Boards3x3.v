(** 3 × 3: all 262,144 positions of six games, each settled. A theorem NAME_positions says which of them are lost
    for the player to move, finished positions included, and how many; NAME says who wins from the start.

    Beside Rocq's kernel these theorems rest on its primitive integers and arrays. *)

From Coq Require Import List NArith Lia.
From Greenwave Require Import Game Basics Table.

(** The table is computed and audited here, by Rocq's virtual machine. *)
Ltac settled n s :=
  apply (fun a b c d => solved _ _ _ _ n s a b c d); [reversed|cbn; tauto|lia|vm_cast_no_check (eq_refl (Some n, s))].

Lemma classic_3x3_solved : strongly_solved classic_patterns normal 3 3 103790 /\ first_player_wins (classic 3 3).
Proof. settled 103790%N false. Qed.
Theorem classic_3x3_positions : strongly_solved classic_patterns normal 3 3 103790.
Proof. apply classic_3x3_solved. Qed.
Theorem classic_3x3 : first_player_wins (classic 3 3).
Proof. apply classic_3x3_solved. Qed.

Lemma classic_misere_3x3_solved : strongly_solved classic_patterns misere 3 3 86778 /\ first_player_wins (classic_misere 3 3).
Proof. settled 86778%N false. Qed.
Theorem classic_misere_3x3_positions : strongly_solved classic_patterns misere 3 3 86778.
Proof. apply classic_misere_3x3_solved. Qed.
Theorem classic_misere_3x3 : first_player_wins (classic_misere 3 3).
Proof. apply classic_misere_3x3_solved. Qed.

Lemma signal_3x3_solved : strongly_solved signal_patterns normal 3 3 128612 /\ first_player_wins (signal 3 3).
Proof. settled 128612%N false. Qed.
Theorem signal_3x3_positions : strongly_solved signal_patterns normal 3 3 128612.
Proof. apply signal_3x3_solved. Qed.
Theorem signal_3x3 : first_player_wins (signal 3 3).
Proof. apply signal_3x3_solved. Qed.

Lemma signal_misere_3x3_solved : strongly_solved signal_patterns misere 3 3 65624 /\ first_player_wins (signal_misere 3 3).
Proof. settled 65624%N false. Qed.
Theorem signal_misere_3x3_positions : strongly_solved signal_patterns misere 3 3 65624.
Proof. apply signal_misere_3x3_solved. Qed.
Theorem signal_misere_3x3 : first_player_wins (signal_misere 3 3).
Proof. apply signal_misere_3x3_solved. Qed.

Lemma green_3x3_solved : strongly_solved green_patterns normal 3 3 93591 /\ first_player_wins (green 3 3).
Proof. settled 93591%N false. Qed.
Theorem green_3x3_positions : strongly_solved green_patterns normal 3 3 93591.
Proof. apply green_3x3_solved. Qed.
Theorem green_3x3 : first_player_wins (green 3 3).
Proof. apply green_3x3_solved. Qed.

Lemma green_misere_3x3_solved : strongly_solved green_patterns misere 3 3 90778 /\ first_player_wins (green_misere 3 3).
Proof. settled 90778%N false. Qed.
Theorem green_misere_3x3_positions : strongly_solved green_patterns misere 3 3 90778.
Proof. apply green_misere_3x3_solved. Qed.
Theorem green_misere_3x3 : first_player_wins (green_misere 3 3).
Proof. apply green_misere_3x3_solved. Qed.
