------------------------------- MODULE Wrong --------------------------------
(***************************************************************************)
(* The rules of Mesh.tla, each broken in one way.  TLC has to find that a  *)
(* promise does not hold then; a promise that no wrong rule breaks would   *)
(* say little.  Tests/Model/run.sh reads the line above each definition:   *)
(* the rule that is replaced, the number of places, messages, faults and   *)
(* copies that suffice, and the promise that is broken.                    *)
(***************************************************************************)
EXTENDS Mesh

(* The register.                                                           *)

\* Dominates 2 2 0 0 NothingIsForgotten
LastWriterWins(m, e) == Above(m, e)

\* Merge 2 2 0 0 NothingIsForgotten
KeepsOneHead(heads, e) == {Shown(HeadsOf(heads \cup {e}))}

\* Merge 2 2 0 0 Deadlock
FirstHeadStays(heads, e) == IF \A h \in heads : Dominates(e, h) THEN {e} ELSE heads

\* Merge 2 2 0 0 NothingGoesBack
LastArrivalWins(heads, e) == {e}

\* ContextOf 3 3 0 0 NothingComesBack
NamesHeadsOnly(heads) == Newest({Dot(h) : h \in heads})

\* ContextOf 2 2 0 0 NothingIsForgotten
NamesUnseen(heads) == Newest({Dot(e) : e \in written})

\* NextRevision 2 2 0 0 NothingComesBack
NoRevisions(heads) == 1

\* IsHere 2 3 0 0 AllAgree
LowerIsHere(e, heads) == \E h \in heads : h = e \/ h.revision > e.revision

\* IsProven 2 1 0 0 NothingIsForged
BelievesAll(e) == TRUE

(* Disks.                                                                  *)

\* AcknowledgedAtWrite 2 1 0 0 AcknowledgedIsKept
AcknowledgesAtOnce(e) == {e}

\* MaySend 2 1 0 0 OwnIsOnDiskFirst
SendsUnsynced(p, e) == TRUE

\* AfterLoss 2 2 1 0 DotsAreUnique
LossKeepsEpoch(contents) == [EmptyDisk(contents.device, fresh) EXCEPT !.epoch = contents.epoch]

\* AfterCopy 2 3 1 1 DotsAreUnique
CopyKeepsEpoch(contents) == contents

(* The feed.                                                               *)

\* Rows 2 1 0 0 ClaimedIsHeld
WritesRowsOfOthersLater(p) ==
    LET Own(s) == \E e \in memory[p].heads[s] : IsOwn(p, e)
    IN  [ heads |-> [s \in Sessions |-> IF Own(s) THEN memory[p].heads[s] ELSE disk[p].heads[s]],
          at    |-> [s \in Sessions |-> IF Own(s) THEN memory[p].at[s] ELSE disk[p].at[s]] ]

\* Complete 2 2 0 0 ClaimedIsHeld
ClaimsMissing(f) == f.told

\* MayDeny 2 3 1 0 ClaimedIsHeld
DeniesUnsynced(p, e) == e \notin memory[p].heads[e.session]

\* StepsOver 2 3 1 0 ClaimedIsHeld
NeverStepsOver(position, told, at, atOnDisk) == FALSE

\* Resume 2 2 1 0 ClaimedIsHeld
IgnoresIncarnation(incarnations, at, cursor) == Lowest({cursor.position, Latest(at)})

\* Begun 3 2 1 0 ClaimedIsHeld
RestartKeepsIncarnation(incarnations, id, at) ==
    IF incarnations = <<>> THEN <<[id |-> id, start |-> 0]>> ELSE incarnations

\* EndOf 3 2 1 0 ClaimedIsHeld
NoEndOfIncarnation(incarnations, i, at) == Latest(at)
=============================================================================
