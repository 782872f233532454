-------------------------- MODULE WrongGenerations --------------------------
(***************************************************************************)
(* The rules of Generations.tla, each broken in one way, as in Wrong.tla:  *)
(* the line above each definition has the rule that is replaced, the       *)
(* number of writers, relays, records and envelopes that suffice, and the  *)
(* promise that is broken.  The second writer is the rogue.                *)
(***************************************************************************)
EXTENDS Generations

(* The line.                                                               *)

\* Current 3 0 2 0 OneLine
FirstSeenStays(records, before) == EndOfLine(before, records)

\* BranchRank 3 0 3 0 NothingIsUndone
FirstAuthorCounts(g, records) == Author(g)

\* ComesFirst 3 0 2 0 NothingIsUndone
LowerIDComesFirst(g, h, records) == HasLowerID(g, h)

(* Vouches.                                                                *)

\* NewVouches 3 0 1 2 Kept
NobodyVouches(n, g, envelopes, vouches) == {}

\* NewVouches 3 0 2 2 Kept
VouchesOnce(n, g, envelopes, vouches) ==
    IF n \notin Honest(g) THEN {}
    ELSE {[at |-> g, by |-> n, dot |-> Dot(e)] : e \in {e \in envelopes :
            ~ Counts(e, g, vouches) /\ \A v \in vouches : v.dot # Dot(e)}}

\* Holds 3 0 1 1 Silent
AnybodyVouches(vouch, g) == TRUE

\* Holds 3 0 2 1 Silent
FormerMembersVouch(vouch, g) ==
    vouch.at # Birth /\ IsBehind(vouch.at, g) /\ vouch.by \in Stays(vouch.at)

(* Envelopes.                                                              *)

\* IsVouched 3 0 1 1 Silent
OldKeysSuffice(e, g, vouches) == TRUE

\* IsOfMember 3 0 2 1 Kept
LosersAreDropped(e, g) == IsBehind(e.generation, g)

\* Remaining 2 1 1 1 Agree
RelaysLetGoOfNothing(n, g, envelopes, vouches) == envelopes

(* Keys.                                                                   *)

\* Further 3 0 2 0 Deaf
PassesOnAllKeys(keys, parent, stays) == keys \ Opens(parent)
=============================================================================
