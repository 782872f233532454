---------------------------- MODULE Generations -----------------------------
(***************************************************************************)
(* Changes of keys: records, the line, vouches, and which envelopes count. *)
(* docs/protocol.md, "Generations"; one session is enough, and its order   *)
(* is that of Register.tla.                                                *)
(*                                                                         *)
(* Writers are numbered by rank, 1 is the creator.  Rogues are writers     *)
(* that keep to no rule: they make records behind any generation whose     *)
(* keys they have, write under any of these, vouch for what they like, and *)
(* let go of nothing.  A writer that was thrown out makes records like     *)
(* them.                                                                   *)
(*                                                                         *)
(* A meeting is one step, which may be cut short behind records or behind  *)
(* vouches.  Records, keys, vouches and removed heads are one commit, so a *)
(* crash comes before or after.  Nobody joins or comes back, there are no  *)
(* limits, and relays stay in all generations.                             *)
(*                                                                         *)
(* All states; the second writer is the rogue, in OfLines the third one,   *)
(* too.  WideGenerations takes three minutes, and is run only if named.    *)
(*                                                                         *)
(*   configuration  writers  relays  records  envelopes  cut short  states *)
(*   OfFour            4        0       2         0         no       9,893 *)
(*   OfLines           3        0       3         0         no      43,645 *)
(*   OfTwo             2        1       2         2         no      66,487 *)
(*   OfTwoRecords      3        0       2         1         no      29,375 *)
(*   OfTwoWrites       3        0       1         2         no      11,874 *)
(*   WithRelay         3        1       1         1         yes     14,362 *)
(*   Wide              3        0       2         2         no     475,918 *)
(***************************************************************************)
EXTENDS Register, Sequences, TLC

CONSTANTS
    Writers,     \* the devices that write, 1 .. n, by rank
    Relays,      \* the devices that only pass on
    Rogues,      \* the writers that keep to no rule
    RecordsMax,  \* so many records are made
    WritesMax,   \* so many envelopes are written
    Lengths      \* how far meetings get: 1 records, 2 vouches, 3 envelopes

VARIABLES
    known,       \* of each node: the records that it has
    current,     \* of each node: the end of its line
    vouched,     \* of each node: the vouches that it has
    heads,       \* of each node: the envelopes on its disk
    sequence,    \* of each writer: the number of its envelopes
    late         \* what a rogue wrote once all members had adopted without it

vars == <<known, current, vouched, heads, sequence, late>>

-----------------------------------------------------------------------------
(* A generation is the sequence of records from the birth generation on,   *)
(* which has none.  A record has its author, the writers who stay, and the *)
(* generations whose keys it passes on beside those of its parent.         *)
Birth == <<>>
Last(g) == g[Len(g)]
Parent(g) == SubSeq(g, 1, Len(g) - 1)
Author(g) == Last(g).author
Stays(g) == IF g = Birth THEN Writers ELSE Last(g).stays
IsBehind(g, h) == Len(g) <= Len(h) /\ SubSeq(h, 1, Len(g)) = g

Nodes == Writers \cup Relays
Honest(g) == Stays(g) \ Rogues
IsIn(n, g) == n \in Relays \cup Honest(g)

(* "The line": the rank of a branch is that of the highest author in it.   *)
BranchRank(g, records) == Lowest({Author(h) : h \in {h \in records : IsBehind(g, h)}})

(* IDs are hashes: any order will do.                                      *)
HasLowerID(g, h) == g = CHOOSE any \in {g, h} : TRUE

ComesFirst(g, h, records) ==
    LET bestOfG == BranchRank(g, records)
        bestOfH == BranchRank(h, records)
    IN  \/ bestOfG < bestOfH
        \/ bestOfG = bestOfH /\ Author(g) < Author(h)
        \/ /\ bestOfG = bestOfH /\ Author(g) = Author(h)
           /\ LET isOutG == Author(g) \notin Stays(g)
                  isOutH == Author(h) \notin Stays(h)
              IN  (isOutG /\ ~ isOutH) \/ (isOutG = isOutH /\ HasLowerID(g, h))

Children(g, records) == {h \in records : Len(h) = Len(g) + 1 /\ IsBehind(g, h)}

RECURSIVE EndOfLine(_, _)
EndOfLine(g, records) ==
    LET children == Children(g, records)
    IN  IF children = {} THEN g
        ELSE EndOfLine(
            CHOOSE c \in children : \A other \in children :
                other = c \/ ComesFirst(c, other, records),
            records)

(* What a node that was at a generation takes as the current one.          *)
Current(records, before) == EndOfLine(Birth, records)

-----------------------------------------------------------------------------
(* "Which envelopes count".                                                *)

(* A vouch holds while the record of its generation, and each since, lists *)
(* who vouches.                                                            *)
Holds(vouch, g) ==
    /\ vouch.at # Birth
    /\ IsBehind(vouch.at, g)
    /\ vouch.by \in Stays(vouch.at) /\ vouch.by \in Stays(g)

IsVouched(e, g, vouches) == \E v \in vouches : v.dot = Dot(e) /\ Holds(v, g)

(* The author was a member of the generation of the envelope.              *)
IsOfMember(e, g) == e.author \in Stays(e.generation)

Counts(e, g, vouches) ==
    /\ IsOfMember(e, g)
    /\ e.author \in Stays(g) \/ IsVouched(e, g, vouches)

(* A writer that adopts a generation vouches for what does not count there.*)
NewVouches(n, g, envelopes, vouches) ==
    IF n \notin Honest(g) THEN {}
    ELSE {[at |-> g, by |-> n, dot |-> Dot(e)] :
            e \in {e \in envelopes : ~ Counts(e, g, vouches)}}

(* A member lets go of what does not count; a node without keys of nothing.*)
Remaining(n, g, envelopes, vouches) ==
    IF IsIn(n, g) THEN {e \in envelopes : Counts(e, g, vouches)} ELSE envelopes

(* A rogue vouches for what it wrote, with all keys that it has.           *)
RogueVouches(n, generations, envelopes) ==
    IF n \notin Rogues THEN {}
    ELSE {[at |-> g, by |-> n, dot |-> Dot(e)] :
            g \in generations, e \in {e \in envelopes : e.author = n}}

-----------------------------------------------------------------------------
(* Keys.  K of a generation opens that of its parent, and of those that    *)
(* its record passes on.                                                   *)
RECURSIVE Opens(_)
Opens(g) ==
    {g} \cup IF g = Birth THEN {}
             ELSE Opens(Parent(g)) \cup UNION {Opens(h) : h \in Last(g).further}

(* A device opens its box in each record that lists it.                    *)
Keys(n) == UNION {Opens(g) : g \in {g \in known[n] \cup {Birth} : n \in Stays(g)}}

(* Records pass on what lists all who stay, and the parent does not open.  *)
Further(keys, parent, stays) ==
    {g \in keys \ Opens(parent) : stays \subseteq Stays(g)}

-----------------------------------------------------------------------------
Init ==
    /\ known = [n \in Nodes |-> {}]
    /\ current = [n \in Nodes |-> Birth]
    /\ vouched = [n \in Nodes |-> {}]
    /\ heads = [n \in Nodes |-> {}]
    /\ sequence = [n \in Writers |-> 0]
    /\ late = {}

Records == UNION {known[n] : n \in Nodes}

RECURSIVE Sum(_)
Sum(writers) ==
    IF writers = {} THEN 0
    ELSE LET n == CHOOSE n \in writers : TRUE IN sequence[n] + Sum(writers \ {n})

(* All members of a generation are at it, or behind it.                    *)
IsAdopted(g, at) == \A n \in Honest(g) : IsBehind(g, at[n])

(* What came late may count again once a member has left the generation.   *)
StillLate == {l \in late : IsAdopted(l.after, current')}

(* Who may not follow the rules any more.                                  *)
IsFree(n) == n \in Rogues \/ n \notin Stays(current[n])

(* The generations whose keys a writer has as a member.                    *)
Own(n) == {g \in known[n] \cup {Birth} : n \in Stays(g)}

Write(n) ==
    /\ Sum(Writers) < WritesMax
    /\ \E g \in IF n \in Rogues THEN Own(n) ELSE Own(n) \cap {current[n]} :
        LET e == Replacement(heads[n], 1, n, sequence[n] + 1, 0, n)
                @@ [generation |-> g]
        IN  heads' = [heads EXCEPT ![n] = Merge(@, e)]
    /\ sequence' = [sequence EXCEPT ![n] = @ + 1]
    /\ late' = late \cup
        {[dot |-> <<n, sequence[n] + 1>>, after |-> g] : g \in {g \in Records :
            n \in Rogues /\ n \notin Stays(g) /\ IsAdopted(g, current)}}
    /\ UNCHANGED <<known, current, vouched>>

(* A writer makes a record, and adopts what is the current generation then.*)
Rotate(n) == \E parent \in IF IsFree(n) THEN Own(n) ELSE {current[n]} :
    \E out \in {{}} \cup {{w} : w \in Stays(parent)} :
        LET stays == Stays(parent) \ out
            record == [ author  |-> n,
                        stays   |-> stays,
                        further |-> Further(Keys(n), parent, stays) ]
            records == known[n] \cup {Append(parent, record)}
            g == Current(records, current[n])
            vouches == vouched[n] \cup NewVouches(n, g, heads[n], vouched[n])
        IN  /\ Cardinality(Records) < RecordsMax
            /\ IsFree(n) \/ n \notin out
            /\ known' = [known EXCEPT ![n] = records]
            /\ current' = [current EXCEPT ![n] = g]
            /\ vouched' = [vouched EXCEPT ![n] = vouches]
            /\ heads' = [heads EXCEPT ![n] = Remaining(n, g, @, vouches)]
            /\ late' = StillLate
            /\ UNCHANGED sequence

(* Two nodes meet.  Each adopts with the vouches that it has, and then     *)
(* gets those of the other one, and what counts of the other one's heads.  *)
Meet(p, q, length) ==
    LET records == known[p] \cup known[q]
        g == [n \in {p, q} |-> Current(records, current[n])]
        own == [n \in {p, q} |->
            vouched[n] \cup RogueVouches(n, Own(n), heads[n])
                \cup NewVouches(n, g[n], heads[n], vouched[n])]
        vouches == [n \in {p, q} |-> IF length > 1 THEN own[p] \cup own[q] ELSE own[n]]
        left == [n \in {p, q} |-> Remaining(n, g[n], heads[n], vouches[n])]
        news == [n \in {p, q} |->
            IF length < 3 \/ ~ (n \in Relays \cup Stays(g[n])) THEN {}
            ELSE {e \in left[p] \cup left[q] : Counts(e, g[n], vouches[n])}]
    IN  /\ <<known[p], vouched[p], heads[p]>> # <<known[q], vouched[q], heads[q]>>
        /\ known' = [n \in Nodes |-> IF n \in {p, q} THEN records ELSE known[n]]
        /\ current' = [n \in Nodes |-> IF n \in {p, q} THEN g[n] ELSE current[n]]
        /\ vouched' = [n \in Nodes |-> IF n \in {p, q} THEN vouches[n] ELSE vouched[n]]
        /\ heads' = [n \in Nodes |->
            IF n \in {p, q} THEN HeadsOf(left[n] \cup news[n]) ELSE heads[n]]
        /\ late' = StillLate
        /\ UNCHANGED sequence

(* A rogue brings envelopes without the records that it knows.             *)
Inject(rogue, n) ==
    /\ rogue # n /\ IsIn(n, current[n])
    /\ heads' = [heads EXCEPT ![n] = HeadsOf(@ \cup {e \in heads[rogue] :
            /\ e.generation \in known[n] \cup {Birth}
            /\ Counts(e, current[n], vouched[n])})]
    /\ UNCHANGED <<known, current, vouched, sequence, late>>

(* Nothing is left to be told.                                             *)
Rest == (\A p, q \in Nodes : known[p] = known[q]) /\ UNCHANGED vars

Next ==
    \/ \E n \in Writers : Write(n) \/ Rotate(n)
    \/ \E p, q \in Nodes, length \in Lengths : p < q /\ Meet(p, q, length)
    \/ \E rogue \in Rogues, n \in Nodes : Inject(rogue, n)
    \/ Rest

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* The promises.                                                           *)

(* Nodes with the same records are on the same line.                       *)
OneLine == \A p, q \in Nodes : known[p] = known[q] => current[p] = current[q]

(* Nobody has keys of a generation that does not list it.                  *)
Deaf == \A n \in Writers : \A g \in Keys(n) : n \in Stays(g)

(* The members of a generation have told each other all that they have.    *)
Members(g) == Honest(g) \cup Relays
HaveMet(nodes) == \A p, q \in nodes :
    /\ known[p] = known[q]
    /\ vouched[p] = vouched[q]
    /\ \A e \in heads[p] : Counts(e, current[q], vouched[q]) =>
        Merge(heads[q], e) = heads[q]
Met == {g \in {current[n] : n \in Nodes} :
    (\A n \in Members(g) : current[n] = g) /\ HaveMet(Members(g))}

(* They agree.                                                             *)
Agree == \A g \in Met : \A p, q \in Members(g) : heads[p] = heads[q]

(* What a member wrote is a head then, or somebody knew and replaced it.   *)
Kept == \A g \in Met : \A author \in Honest(g), n \in Members(g) :
    \A i \in 1 .. sequence[author] : \E h \in heads[n] :
        Dot(h) = <<author, i>> \/ <<author, i>> \in h.past

(* Nothing is heard of what a rogue wrote once all members had adopted a   *)
(* generation without it, as long as they stay behind that one.  A member  *)
(* that leaves it for a record by a higher device, and comes back, vouches *)
(* for what it had heard meanwhile.                                        *)
Silent == \A l \in late : \A n \in Members(l.after) :
    IsBehind(l.after, current[n]) => \A h \in heads[n] : Dot(h) # l.dot

(* A node leaves a record only for one by a device as high or higher.      *)
NothingIsUndone == [][\A n \in Nodes :
    current'[n] # current[n] =>
        \A i \in 1 .. Len(current[n]) :
            LET g == SubSeq(current[n], 1, i)
            IN  ~ IsBehind(g, current'[n]) =>
                    \E h \in known'[n] \ known[n] : Author(h) <= Author(g)]_vars
=============================================================================
