(** Certificates that are checked inside Rocq, by no arithmetic but that of its lists: these theorems rest on no axiom.
    Texts.v holds the files of solutions/, line by line; the Makefile writes it. *)

From Coq Require Import List NArith String.
From Greenwave Require Import Game CertificateFile Texts.

(** Has Rocq's virtual machine check a text, and takes what it states. *)
Ltac certified text :=
  let answer := eval vm_compute in (check text) in
  match answer with
  | Accepted ?c ?n => exact (check_sound text c n (eq_refl (Accepted c n) <: check text = Accepted c n))
  | _ => fail "the certificate is refused:" answer
  end.

Theorem classic_3x3_by_certificate : first_player_wins (classic 3 3).
Proof. certified classic_3x3. Qed.
Theorem signal_3x3_by_certificate : first_player_wins (signal 3 3).
Proof. certified signal_3x3. Qed.
Theorem green_3x3_by_certificate : first_player_wins (green 3 3).
Proof. certified green_3x3. Qed.
Theorem classic_3x4_by_certificate : second_player_wins (classic 3 4).
Proof. certified classic_3x4. Qed.
Theorem noughts_3x4 : first_player_wins (noughts 3 4).
Proof. certified noughts_3x4. Qed.

(** Each player has a certificate of never losing. *)
Lemma noughts_3x3_first_player : first_player_never_loses (noughts 3 3).
Proof. certified noughts_3x3_first. Qed.
Lemma noughts_3x3_second_player : second_player_never_loses (noughts 3 3).
Proof. certified noughts_3x3_second. Qed.
Theorem noughts_3x3 : draw (noughts 3 3).
Proof. exact (conj noughts_3x3_first_player noughts_3x3_second_player). Qed.
