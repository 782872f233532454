-------------------------------- MODULE Feed --------------------------------
(***************************************************************************)
(* The feed of a node: where a peer goes on, and which positions may be    *)
(* named.  docs/protocol.md, "The feed".                                   *)
(***************************************************************************)
EXTENDS Register, Sequences

(* "Positions and incarnations": all incarnations that a disk remembers,   *)
(* the present one last, each with the position after which it counts on.  *)
Present(incarnations) == incarnations[Len(incarnations)].id

Latest(at) == Highest({0} \cup {at[s] : s \in DOMAIN at})

(* A start of a node.                                                      *)
Begun(incarnations, id, at) == Append(incarnations, [id |-> id, start |-> Latest(at)])

(* A copy of a data directory forgets all incarnations, as the original    *)
(* may go on in the last of them.                                          *)
OfCopy(incarnations) == <<>>

(* "feed": the position after which the feed is resumed for a peer's       *)
(* cursor.  What counts is at most the end of its incarnation here.        *)
EndOf(incarnations, i, at) ==
    IF i < Len(incarnations) THEN incarnations[i + 1].start ELSE Latest(at)

Resume(incarnations, at, cursor) ==
    LET known == {i \in DOMAIN incarnations : incarnations[i].id = cursor.incarnation}
    IN  IF known = {} THEN 0
        ELSE Lowest({cursor.position, EndOf(incarnations, Highest(known), at)})

(* "Positions": a position steps over a change if a session on disk at a   *)
(* position that was not named yet has moved in memory to a later one.     *)
StepsOver(position, told, at, atOnDisk) ==
    \E s \in DOMAIN at :
        /\ atOnDisk[s] > told
        /\ atOnDisk[s] <= position
        /\ at[s] > position

(* "stored": the position up to which a feed is complete at the peer; an   *)
(* envelope that was announced, and is missing, ends it.                   *)
Complete(feed) == Lowest({feed.told} \cup {m.after : m \in feed.missing})
=============================================================================
