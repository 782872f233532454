-------------------------------- MODULE Mesh --------------------------------
(***************************************************************************)
(* Nodes with memory and disk, the links between them, and what may go     *)
(* wrong: a restart that loses what is not on disk, a link that ends, a    *)
(* disk that is lost, a data directory that is copied to another machine.  *)
(*                                                                         *)
(* A step of the model is atomic where the protocol needs no more: a frame *)
(* is received as it is sent, since both sides forget what they know of a  *)
(* link when the link ends; and a commit brings what is in memory to the   *)
(* disk at once, since a crash may come before or after.                   *)
(***************************************************************************)
EXTENDS Feed

CONSTANTS
    Places,      \* the machines, 1 .. n; a node runs on each
    Sessions,    \* the sessions of the one conversation
    WritesMax,   \* so many messages are written
    FaultsMax,   \* so many faults happen, of any kind
    CopiesMax    \* so many of the faults copy a disk to another machine

NoEpoch == 0

VARIABLES
    memory,      \* of each place: heads and position of each session
    disk,        \* of each place: what is safe from a crash
    linked,      \* the pairs of places with a link
    feed,        \* feed[p][q]: the feed of p on the link to q
    written,     \* the envelopes that were written
    acknowledged,\* the envelopes of which somebody was told that they are stored
    fresh,       \* a number that nobody used: the next random number
    faults,      \* the number of faults so far
    copies       \* the number of copies so far

vars == <<memory, disk, linked, feed, written, acknowledged, fresh, faults, copies>>

-----------------------------------------------------------------------------
Pairs == {pair \in SUBSET Places : Cardinality(pair) = 2}
NoCursor == [incarnation |-> 0, position |-> 0]
NoFeed(start) == [sent |-> start, told |-> start, missing |-> {}]
NoHeads == [s \in Sessions |-> {}]
NoChanges == [s \in Sessions |-> 0]

EmptyDisk(device, number) ==
    [ device       |-> device,
      epoch        |-> NoEpoch,
      sequence     |-> 0,        \* "no sequence is used twice": reserved on disk
      heads        |-> NoHeads,
      at           |-> NoChanges,
      incarnations |-> Begun(<<>>, number, NoChanges),
      cursors      |-> [d \in Places |-> NoCursor],
      life         |-> number ]    \* a number for promises: which disk it is

Init ==
    /\ memory = [p \in Places |-> [heads |-> NoHeads, at |-> NoChanges]]
    /\ disk = [p \in Places |-> EmptyDisk(p, 1)]
    /\ linked = Pairs
    /\ feed = [p \in Places |-> [q \in Places |-> NoFeed(0)]]
    /\ written = {}
    /\ acknowledged = {}
    /\ fresh = 2
    /\ faults = 0
    /\ copies = 0

AreLinked(p, q) == {p, q} \in linked

(* Copies of an identity keep no link with one another here.               *)
MayLink(p, q) == p # q /\ disk[p].device # disk[q].device

(* A node believes an envelope whose proof is its author's ("What is       *)
(* checked").                                                              *)
IsProven(e) == e \in written

(* "stored": the node's own envelope is on its disk before it is sent.     *)
MaySend(p, e) == e.origin = disk[p].epoch => e \in disk[p].heads[e.session]

(* "How a want is answered": an envelope counts as replaced once the       *)
(* replacement is on disk.                                                 *)
MayDeny(p, e) == e \notin memory[p].heads[e.session] /\ e \notin disk[p].heads[e.session]

(* What a node may say to its programs: an envelope of its own is stored,  *)
(* in memory or replaced there, once a commit has brought it to the disk.  *)
IsOwn(p, e) == e.origin = disk[p].epoch /\ e.author = p
StoredBy(p, heads) == {e \in written : IsOwn(p, e) /\ IsKept(e, heads[e.session])}
AcknowledgedAtWrite(e) == {}

(* The entries of p's feed that come next for q: "Push or announce".       *)
After(p, at, f) == {s \in Sessions : at[s] > f.sent}
NextChange(p, at, f) == CHOOSE s \in After(p, at, f) : \A t \in After(p, at, f) : at[s] <= at[t]

(* The peer has the whole feed.                                            *)
IsAtEnd(at, f) == f.told = Latest(at) /\ f.missing = {}

(* What follows at once for the feed of p to q: what is here by now is     *)
(* missing no more, the feed goes on behind entries of which nothing has   *)
(* to be sent, and their position is named, unless it steps over a change. *)
Advanced(p, q, mem, dsk, f) ==
    LET at == mem[p].at
        Has(s) == \A e \in mem[p].heads[s] : IsHere(e, mem[q].heads[s])
        open == {at[s] : s \in {t \in After(p, at, f) : ~ Has(t)}}
        sent == Highest({f.sent} \cup {n \in {at[s] : s \in Sessions} :
                    n > f.sent /\ \A o \in open : n < o})
        named == {n \in {at[s] : s \in Sessions} :
                    /\ n > f.told
                    /\ n <= sent
                    /\ ~ StepsOver(n, f.told, at, dsk[p].at)}
    IN  [ sent    |-> sent,
          told    |-> Highest({f.told} \cup named),
          missing |-> {m \in f.missing :
                        ~ IsHere(m.envelope, mem[q].heads[m.envelope.session])} ]

(* This is done where the memory or the disk of a place has changed.       *)
Settled(places, mem, dsk, links, feeds) == [p \in Places |-> [q \in Places |->
    IF {p, q} \notin links \/ p = q THEN NoFeed(0)
    ELSE IF (p \notin places /\ q \notin places) \/ IsAtEnd(mem[p].at, feeds[p][q])
    THEN feeds[p][q]
    ELSE Advanced(p, q, mem, dsk, feeds[p][q])]]

(* The heads of a session change in memory, at the next position.          *)
Change(p, s, heads) ==
    /\ heads # memory[p].heads[s]
    /\ memory' = [memory EXCEPT
        ![p].heads[s] = heads, ![p].at[s] = 1 + Latest(memory[p].at)]

-----------------------------------------------------------------------------
(* Nothing but what they do differs between places, so they are numbered   *)
(* in the order in which they first write.  An epoch has its number when   *)
(* it is first written under: the tie break of two origins then is one way *)
(* round in the odd sessions, and the other way round in the even ones.    *)
MayWrite(p) == \A q \in Places : q < p => \E e \in written : e.author = q

(* Somebody writes at p: "Writing".                                        *)
Write(p, s) ==
    LET epoch == IF disk[p].epoch = NoEpoch THEN fresh ELSE disk[p].epoch
        dot == <<epoch, 1 + disk[p].sequence>>
        digest == Cardinality({e \in written : Dot(e) = dot})
        e == Replacement(memory[p].heads[s], s, epoch, dot[2], digest, p)
    IN  /\ Cardinality(written) < WritesMax
        /\ MayWrite(p)
        /\ written' = written \cup {e}
        /\ Change(p, s, Merge(memory[p].heads[s], e))
        /\ disk' = [disk EXCEPT ![p].epoch = epoch, ![p].sequence = dot[2]]
        /\ fresh' = IF epoch = fresh THEN fresh + 1 ELSE fresh
        /\ acknowledged' = acknowledged \cup AcknowledgedAtWrite(e)
        /\ feed' = Settled({p}, memory', disk', linked, feed)
        /\ UNCHANGED <<linked, faults, copies>>

(* An envelope of p arrives at q, pushed or since it was wanted.           *)
Deliver(p, q) == \E s \in Sessions : \E e \in memory[p].heads[s] :
    /\ AreLinked(p, q)
    /\ MaySend(p, e)
    /\ \/ \E m \in feed[p][q].missing : m.envelope = e
       \/ /\ After(p, memory[p].at, feed[p][q]) # {}
          /\ s = NextChange(p, memory[p].at, feed[p][q])
    /\ IsProven(e)
    /\ Change(q, s, Merge(memory[q].heads[s], e))
    /\ feed' = Settled({q}, memory', disk, linked, feed)
    /\ UNCHANGED <<disk, linked, written, acknowledged, fresh, faults, copies>>

(* The next entry of the feed is announced, and the feed goes on behind    *)
(* it: the heads that q lacks are missing.                                 *)
Announce(p, q) ==
    LET f == feed[p][q]
        s == NextChange(p, memory[p].at, f)
        news == {e \in memory[p].heads[s] : ~ IsHere(e, memory[q].heads[s])}
    IN  /\ AreLinked(p, q)
        /\ After(p, memory[p].at, f) # {}
        /\ \A e \in memory[p].heads[s] : MaySend(p, e)
        /\ feed' = Settled({p}, memory, disk, linked, [feed EXCEPT
            ![p][q].sent = memory[p].at[s],
            ![p][q].missing = @ \cup {[envelope |-> e, after |-> f.told] : e \in news}])
        /\ UNCHANGED <<memory, disk, linked, written, acknowledged, fresh, faults, copies>>

(* p says that an envelope which q wants was replaced: "not found".        *)
NotFound(p, q) == \E m \in feed[p][q].missing :
    /\ AreLinked(p, q)
    /\ MayDeny(p, m.envelope)
    /\ feed' = [feed EXCEPT ![p][q].missing = @ \ {m}]
    /\ UNCHANGED <<memory, disk, linked, written, acknowledged, fresh, faults, copies>>

(* The cursors that a commit of p may bring to the disk: how much of each  *)
(* linked feed is complete.  Of two linked copies of a device either one   *)
(* may be the last to write.                                               *)
CursorOf(q, p) ==
    [incarnation |-> Present(disk[q].incarnations), position |-> Complete(feed[q][p])]
Sources(p, device) == {q \in Places : AreLinked(p, q) /\ disk[q].device = device}
CursorsOf(p, favourite) == [d \in Places |->
    IF Sources(p, d) = {} THEN disk[p].cursors[d]
    ELSE IF favourite \in Sources(p, d) THEN CursorOf(favourite, p)
    ELSE CursorOf(CHOOSE q \in Sources(p, d) : TRUE, p)]

(* The rows of sessions that a commit has, with or before the cursors.     *)
Rows(p) == memory[p]

(* Cursors alone are written once there is nothing to wait for.            *)
HasAll(p) == \A q \in Places : AreLinked(q, p) =>
    IsAtEnd(memory[q].at, feed[q][p])

(* What is in memory gets to the disk, with the cursors; then, and not     *)
(* before, it is acknowledged: "stored", "Positions and incarnations".     *)
Commit(p) == \E favourite \in IF copies = 0 THEN {p} ELSE Places :
    /\ disk' = [disk EXCEPT ![p].heads = Rows(p).heads, ![p].at = Rows(p).at,
                            ![p].cursors = CursorsOf(p, favourite)]
    /\ \/ disk'[p].at # disk[p].at
       \/ disk'[p].cursors # disk[p].cursors /\ HasAll(p)
    /\ feed' = Settled({p}, memory, disk', linked, feed)
    /\ acknowledged' = acknowledged \cup StoredBy(p, disk'[p].heads)
    /\ UNCHANGED <<memory, linked, written, fresh, faults, copies>>

(* p and q get a link: each resumes its feed after the other one's cursor. *)
Resumed(p, q, mem, dsk) == NoFeed(
    Resume(dsk[p].incarnations, mem[p].at, dsk[q].cursors[dsk[p].device]))
Link(pair) ==
    /\ pair \notin linked
    /\ \A p, q \in pair : p = q \/ MayLink(p, q)
    /\ linked' = linked \cup {pair}
    /\ feed' = Settled(pair, memory, disk, linked', [p \in Places |-> [q \in Places |->
        IF {p, q} = pair THEN Resumed(p, q, memory, disk) ELSE feed[p][q]]])
    /\ UNCHANGED <<memory, disk, written, acknowledged, fresh, faults, copies>>

-----------------------------------------------------------------------------
(* Faults.                                                                 *)
Fault == faults < FaultsMax /\ faults' = faults + 1

(* A link ends, as in a partition.                                         *)
Cut(pair) ==
    /\ pair \in linked
    /\ Fault
    /\ linked' = linked \ {pair}
    /\ feed' = Settled({}, memory, disk, linked', feed)
    /\ UNCHANGED <<memory, disk, written, acknowledged, fresh, copies>>

(* A node starts on p from a disk, and has forgotten everything else.  Its *)
(* links end, and are there again at once; a cut keeps one away for longer.*)
StartFrom(p, contents) ==
    /\ disk' = [disk EXCEPT ![p] = contents]
    /\ memory' = [memory EXCEPT ![p] = [heads |-> contents.heads, at |-> contents.at]]
    /\ linked' = {pair \in linked : p \in pair =>
                    \A q \in pair \ {p} : disk[q].device # contents.device}
    /\ feed' = Settled({p}, memory', disk', linked', [x \in Places |-> [y \in Places |->
        IF p \in {x, y} THEN Resumed(x, y, memory', disk') ELSE feed[x][y]]])
    /\ fresh' = fresh + 1
    /\ UNCHANGED <<written, acknowledged>>

AfterRestart(contents) ==
    [contents EXCEPT !.incarnations = Begun(contents.incarnations, fresh, contents.at)]

(* A new epoch, and so new origins; sequences start over with it.          *)
AfterCopy(contents) ==
    [contents EXCEPT !.epoch = NoEpoch, !.sequence = 0]

AfterLoss(contents) == EmptyDisk(contents.device, fresh)

(* A node crashes and starts again.                                        *)
Restart(p) == Fault /\ StartFrom(p, AfterRestart(disk[p])) /\ UNCHANGED copies

(* The disk of p is lost, and the device begins anew, with another epoch.  *)
Lose(p) == Fault /\ StartFrom(p, AfterLoss(disk[p])) /\ UNCHANGED copies

(* The machine q goes on with a copy of the data directory of p: "Copies   *)
(* of an identity".                                                        *)
Copy(p, q) ==
    LET copy == [disk[p] EXCEPT !.incarnations = OfCopy(@), !.life = fresh]
    IN  /\ p # q
        /\ Fault
        /\ copies < CopiesMax
        /\ copies' = copies + 1
        /\ StartFrom(q, AfterCopy(AfterRestart(copy)))

(* An envelope arrives that its author did not write.                      *)
Forge(q) == \E p \in Places, s \in Sessions :
    LET e == Replacement({}, s, disk[p].epoch, 9, 0, q)
    IN  /\ p # q
        /\ IsProven(e)
        /\ Change(q, s, Merge(memory[q].heads[s], e))
        /\ feed' = Settled({q}, memory', disk, linked, feed)
        /\ UNCHANGED <<disk, linked, written, acknowledged, fresh, faults, copies>>

-----------------------------------------------------------------------------
(* Nothing is left to do: all that may be linked is linked, all that was   *)
(* written is on disk, and all feeds have come to their ends.              *)
AtRest ==
    /\ \A p \in Places :
        disk[p].heads = memory[p].heads /\ disk[p].at = memory[p].at
    /\ \A p, q \in Places : MayLink(p, q) =>
        /\ AreLinked(p, q)
        /\ After(p, memory[p].at, feed[p][q]) = {}
        /\ feed[p][q].missing = {}
        /\ feed[p][q].told = feed[p][q].sent
Rest == AtRest /\ UNCHANGED vars

Next ==
    \/ \E p \in Places :
        \/ \E s \in Sessions : Write(p, s)
        \/ Commit(p)
        \/ Restart(p)
        \/ Lose(p)
        \/ Forge(p)
        \/ \E q \in Places :
            \/ Deliver(p, q) \/ Announce(p, q) \/ NotFound(p, q)
            \/ Copy(p, q)
    \/ \E pair \in Pairs : Link(pair) \/ Cut(pair)
    \/ Rest

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* The promises.                                                           *)
Heads(p) == UNION {memory[p].heads[s] \cup disk[p].heads[s] : s \in Sessions}

(* Nobody has what nobody wrote.                                           *)
NothingIsForged == \A p \in Places : Heads(p) \subseteq written

(* No two envelopes share a dot.                                           *)
DotsAreUnique == \A a, b \in written : Dot(a) = Dot(b) => a = b

(* Heads are an antichain: what was replaced does not come back.           *)
NothingComesBack == \A p \in Places, s \in Sessions :
    IsAntichain(memory[p].heads[s]) /\ IsAntichain(disk[p].heads[s])

(* What was acknowledged is on the disk of its author, or replaced or in a *)
(* conflict there, as long as that disk lives.                             *)
AcknowledgedIsKept == \A e \in acknowledged, p \in Places :
    IsOwn(p, e) => IsKept(e, disk[p].heads[e.session])

(* Whatever others have of a node's own, it has on its disk.               *)
OwnIsOnDiskFirst == \A p, q \in Places : \A e \in Heads(q) :
    p # q /\ IsOwn(p, e) => IsKept(e, disk[p].heads[e.session])

(* What a node would not send again, for the cursor of a peer, is on the   *)
(* disk of that peer.                                                      *)
ClaimedIsHeld == \A p, q \in Places : MayLink(p, q) /\ disk[q].cursors[disk[p].device] # NoCursor =>
    LET n == Resume(disk[p].incarnations, memory[p].at, disk[q].cursors[disk[p].device])
    IN  \A s \in Sessions : memory[p].at[s] <= n =>
            \A e \in memory[p].heads[s] : IsKept(e, disk[q].heads[s])

(* When nothing is left to do, all nodes agree.  That something can be     *)
(* done until then is TLC's search for deadlocks.                          *)
AllAgree == AtRest => \A p, q \in Places :
    MayLink(p, q) => memory[p].heads = memory[q].heads

(* No disk forgets, unless it is lost: what it has stays, is replaced by   *)
(* somebody who knew it, or is in a conflict.  What it shows does not go   *)
(* back to something lower in the order.                                   *)
Changed(p) == {s \in Sessions :
    disk'[p].life = disk[p].life /\ disk'[p].heads[s] # disk[p].heads[s]}
NothingIsForgotten == [][\A p \in Places : \A s \in Changed(p) :
    \A e \in written : IsKept(e, disk[p].heads[s]) => IsKept(e, disk'[p].heads[s])]_vars
NothingGoesBack == [][\A p \in Places : \A s \in Changed(p) :
    disk[p].heads[s] # {} =>
        /\ disk'[p].heads[s] # {}
        /\ ~ Above(Shown(disk[p].heads[s]), Shown(disk'[p].heads[s]))]_vars
=============================================================================
