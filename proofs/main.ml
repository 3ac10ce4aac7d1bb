(* Hands the lines of certificates to the verified checker and prints what it answers.
   Usage: check_certificate FILE... (- is standard input). Exit 0: all are accepted; 1: one does not do what it claims;
   2: one is no certificate that this checker knows. *)

open Checker

(* Longer texts are refused before they become lists: the largest published file has 5.3 million bytes, and no line of a
   certificate has 200. *)
let most = 100_000_000
let longest = 1_000

let chars line = List.init (String.length line) (String.get line)

(* Readable whatever it holds, and not too long. *)
let text chars =
  let whole = String.escaped (String.of_seq (List.to_seq chars)) in
  if String.length whole > 500 then String.sub whole 0 500 ^ "…" else whole

(* The lines of a file, characters as lists, as the checker takes them. *)
let lines channel =
  let buffer = Buffer.create 65536 and chunk = Bytes.create 65536 in
  let rec fill () =
    if Buffer.length buffer > most then Error (Printf.sprintf "found more than %d bytes, expected a certificate" most)
    else
      match input channel chunk 0 (Bytes.length chunk) with
      | 0 -> Ok (Buffer.contents buffer)
      | n -> Buffer.add_subbytes buffer chunk 0 n; fill ()
  in
  let split whole =
    let without_last = function "" :: rest -> rest | rest -> rest in
    let found = List.rev (String.split_on_char '\n' whole) |> without_last in
    if List.exists (fun line -> String.length line > longest) found then
      Error (Printf.sprintf "found a line of more than %d characters, expected a certificate" longest)
    else Ok (List.rev_map chars found)
  in
  Result.bind (fill ()) split

let rec int_of_positive = function
  | XH -> 1
  | XO p -> 2 * int_of_positive p
  | XI p -> (2 * int_of_positive p) + 1

let int_of_n = function N0 -> 0 | Npos p -> int_of_positive p

let rec int_of_nat = function O -> 0 | S n -> 1 + int_of_nat n

let shown claim =
  let family =
    match claim.of_family with Classic -> "classic" | Signal -> "signal" | Greens -> "green" | NoughtsCrosses -> "noughts"
  in
  let player = match claim.of_player with First -> "first" | Second -> "second" in
  let verb = match claim.of_aim with Wins -> "wins" | NeverLoses -> "never loses" in
  let rule = match claim.of_rule with Normal -> "" | Misere -> ":play=misere" in
  Printf.sprintf "the %s player %s %s-%dx%d%s" player verb family (int_of_nat claim.ranks) (int_of_nat claim.files) rule

let judge name channel =
  match lines channel with
  | Error why -> Printf.eprintf "%s: %s\n" name why; 2
  | Ok lines ->
    (match check lines with
     | Accepted (claim, replies) -> Printf.printf "%s: %s; %d replies\n" name (shown claim) (int_of_n replies); 0
     | Wrong why -> Printf.printf "%s: WRONG: %s\n" name (text why); 1
     | NoCertificate why ->
       Printf.eprintf "%s: %s; 'greenwave certify' writes certificates\n" name (text why); 2)

let one name =
  if name = "-" then judge name stdin
  else
    match open_in_bin name with
    | exception Sys_error why -> Printf.eprintf "%s; name a certificate that 'greenwave certify' wrote\n" why; 2
    | channel ->
      (match judge name channel with
       | code -> close_in channel; code
       | exception Sys_error why -> Printf.eprintf "%s: %s\n" name why; 2)

let () =
  match List.tl (Array.to_list Sys.argv) with
  | [] -> prerr_endline "usage: check_certificate FILE... (- is standard input)"; exit 2
  | names -> exit (List.fold_left (fun worst name -> max worst (one name)) 0 names)
