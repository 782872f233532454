------------------------------ MODULE Register ------------------------------
(***************************************************************************)
(* A session as a value: its heads, the order of envelopes, who dominates  *)
(* whom, and what a writer says.  docs/protocol.md, "The register of a     *)
(* session"; the words are those of docs/glossary.md.                      *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

(***************************************************************************)
(* An envelope has the fields that decide: session, origin, sequence,      *)
(* revision, context (a set of dots), and digest, which is 0 but for a     *)
(* second envelope under one dot.  Only the promises look at two more:     *)
(* `author` is the place where it was written, and `past` has the dots     *)
(* that the author truly knew and replaced.                                *)
(***************************************************************************)
Dot(e) == <<e.origin, e.sequence>>

Highest(numbers) == CHOOSE n \in numbers : \A m \in numbers : m <= n
Lowest(numbers) == CHOOSE n \in numbers : \A m \in numbers : n <= m

(* "Order": the tie break differs between any two origins, and has another *)
(* outcome in another session.                                             *)
TieBreak(e) == IF e.session % 2 = 1 THEN e.origin ELSE -e.origin

Above(a, b) ==
    \/ a.revision > b.revision
    \/ a.revision = b.revision /\ TieBreak(a) > TieBreak(b)
    \/ a.revision = b.revision /\ TieBreak(a) = TieBreak(b) /\ a.digest > b.digest
    \/ a.revision = b.revision /\ TieBreak(a) = TieBreak(b) /\ a.digest = b.digest
       /\ a.sequence > b.sequence

(* "Dominance": m saw the dot, by its origin or by its context.            *)
Saw(m, dot) ==
    \/ dot[1] = m.origin /\ dot[2] <= m.sequence
    \/ \E known \in m.context : known[1] = dot[1] /\ known[2] >= dot[2]

Dominates(m, e) == Above(m, e) /\ Saw(m, Dot(e))

(* "Merging": the envelopes that no other one dominates.                   *)
HeadsOf(envelopes) == {e \in envelopes : ~ \E m \in envelopes : Dominates(m, e)}

Merge(heads, envelope) == HeadsOf(heads \cup {envelope})

(* The shown message, if there is a head.                                  *)
Shown(heads) == CHOOSE h \in heads : \A other \in heads : other = h \/ Above(h, other)

(* "Writing": the revision, and the context of all heads.                  *)
NextRevision(heads) == IF heads = {} THEN 1 ELSE 1 + Highest({h.revision : h \in heads})

Newest(dots) == {d \in dots : ~ \E other \in dots : other[1] = d[1] /\ other[2] > d[2]}

ContextOf(heads) == Newest(UNION {h.context \cup {Dot(h)} : h \in heads})

Replacement(heads, session, origin, sequence, digest, author) ==
    [ session  |-> session,
      origin   |-> origin,
      sequence |-> sequence,
      revision |-> NextRevision(heads),
      context  |-> {d \in ContextOf(heads) : d[1] # origin},
      digest   |-> digest,
      author   |-> author,
      past     |-> UNION {h.past \cup {Dot(h)} : h \in heads} ]

(* What a node does with an envelope that is announced ("have"): it is a   *)
(* head here, or a head of a higher revision saw it; else it is missing.   *)
IsHere(envelope, heads) ==
    \E h \in heads :
        h = envelope \/ (h.revision > envelope.revision /\ Saw(h, Dot(envelope)))

-----------------------------------------------------------------------------
(* For promises.  An envelope is kept by heads if it is one of them, or if *)
(* the author of one of them truly knew and replaced it.                   *)
IsKept(envelope, heads) == \E h \in heads : h = envelope \/ Dot(envelope) \in h.past

(* No head is known to the author of another head.                         *)
IsAntichain(heads) ==
    \A a, b \in heads : a = b \/ (~ Dominates(a, b) /\ Dot(b) \notin a.past)
=============================================================================
