(** 3 × 4: all 16,777,216 positions of six games, each settled. A theorem NAME_positions says which of them are lost
    for the player to move, finished positions included, and how many; NAME says who wins from the start.

    Beside Rocq's kernel these theorems rest on its primitive integers and arrays. *)

From Coq Require Import List NArith Lia.
From Greenwave Require Import Game Basics Table.

(** The table is computed and audited here, by Rocq's virtual machine. *)
Ltac settled n s :=
  apply (fun a b c d => solved _ _ _ _ n s a b c d); [reversed|cbn; tauto|lia|vm_cast_no_check (eq_refl (Some n, s))].

Lemma classic_3x4_solved : strongly_solved classic_patterns normal 3 4 8300701 /\ second_player_wins (classic 3 4).
Proof. settled 8300701%N true. Qed.
Theorem classic_3x4_positions : strongly_solved classic_patterns normal 3 4 8300701.
Proof. apply classic_3x4_solved. Qed.
Theorem classic_3x4 : second_player_wins (classic 3 4).
Proof. apply classic_3x4_solved. Qed.

Lemma classic_misere_3x4_solved : strongly_solved classic_patterns misere 3 4 3408135 /\ second_player_wins (classic_misere 3 4).
Proof. settled 3408135%N true. Qed.
Theorem classic_misere_3x4_positions : strongly_solved classic_patterns misere 3 4 3408135.
Proof. apply classic_misere_3x4_solved. Qed.
Theorem classic_misere_3x4 : second_player_wins (classic_misere 3 4).
Proof. apply classic_misere_3x4_solved. Qed.

Lemma signal_3x4_solved : strongly_solved signal_patterns normal 3 4 10799015 /\ second_player_wins (signal 3 4).
Proof. settled 10799015%N true. Qed.
Theorem signal_3x4_positions : strongly_solved signal_patterns normal 3 4 10799015.
Proof. apply signal_3x4_solved. Qed.
Theorem signal_3x4 : second_player_wins (signal 3 4).
Proof. apply signal_3x4_solved. Qed.

Lemma signal_misere_3x4_solved : strongly_solved signal_patterns misere 3 4 2179474 /\ second_player_wins (signal_misere 3 4).
Proof. settled 2179474%N true. Qed.
Theorem signal_misere_3x4_positions : strongly_solved signal_patterns misere 3 4 2179474.
Proof. apply signal_misere_3x4_solved. Qed.
Theorem signal_misere_3x4 : second_player_wins (signal_misere 3 4).
Proof. apply signal_misere_3x4_solved. Qed.

Lemma green_3x4_solved : strongly_solved green_patterns normal 3 4 6380259 /\ second_player_wins (green 3 4).
Proof. settled 6380259%N true. Qed.
Theorem green_3x4_positions : strongly_solved green_patterns normal 3 4 6380259.
Proof. apply green_3x4_solved. Qed.
Theorem green_3x4 : second_player_wins (green 3 4).
Proof. apply green_3x4_solved. Qed.

Lemma green_misere_3x4_solved : strongly_solved green_patterns misere 3 4 5270443 /\ first_player_wins (green_misere 3 4).
Proof. settled 5270443%N false. Qed.
Theorem green_misere_3x4_positions : strongly_solved green_patterns misere 3 4 5270443.
Proof. apply green_misere_3x4_solved. Qed.
Theorem green_misere_3x4 : first_player_wins (green_misere 3 4).
Proof. apply green_misere_3x4_solved. Qed.
