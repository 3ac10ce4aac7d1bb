(** The checker as an OCaml program: characters, booleans and lists become OCaml's, nothing else is replaced. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlString.
From Greenwave Require Import CertificateFile.

Extraction Language OCaml.
Extraction "checker.ml" check.
