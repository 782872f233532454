------------------------------- MODULE Replay -------------------------------
(***************************************************************************)
(* What the simulator did, as steps of the model.  `Traces` is generated   *)
(* by Tests/Model/Traces: for each seed the envelopes, and what happened   *)
(* in memory and on the disks of the nodes.  A step that the rules do not  *)
(* allow has no successor, which TLC reports as a deadlock, with the trace *)
(* `t` and the index `i` of the step.  Frames are not replayed; what they  *)
(* lead to is: heads, cursors, and what is acknowledged.                   *)
(***************************************************************************)
EXTENDS Mesh, Traces

VARIABLES
    t, i,     \* the trace, and its next step
    runs,     \* of each place: the incarnations that its process knows
    issued    \* of each place: the rows that its process gave to the store

replayVars == <<t, i, runs, issued>>

(* TLC looks at a guard once, and not at each way in which it holds.       *)
Guard(holds) == holds = TRUE

E(n) == Traces[t].envelopes[n]
Es(ns) == {E(n) : n \in ns}

(* The tie break of the protocol, as a rank among the envelopes of a trace.*)
RankOfTieBreak(e) == e.tie

(* Traces do not say what an author truly knew: its context does.          *)
IsKeptByContext(e, heads) == \E h \in heads : h = e \/ (Above(h, e) /\ Saw(h, Dot(e)))

(* What a place claims by a cursor to have of the feeds of a device.       *)
IsClaimHeld(device, cursor, heads) == \A p \in Places :
    disk[p].device = device /\ runs[p] # <<>> =>
        LET n == Resume(runs[p], memory[p].at, cursor)
        IN  \A s \in Sessions : memory[p].at[s] <= n =>
                \A e \in memory[p].heads[s] : IsKept(e, heads[s])

(* A session changes in memory, by what was written here (`news`) or came. *)
Changes(p, s, heads, news, at, isAlone) ==
    LET old == memory[p].heads[s]
    IN  /\ Guard(\A e \in news :
            /\ \A w \in written : Dot(w) # Dot(e) /\ (w.origin = e.origin => w.author = p)
            /\ \A h \in old : Dominates(e, h)
            /\ isAlone =>
                /\ heads = {e}
                /\ e.revision = NextRevision(old)
                /\ e.context = {d \in ContextOf(old) : d[1] # e.origin})
        /\ written' = written \cup news
        /\ heads \subseteq written'
        /\ heads = HeadsOf(old \cup heads)
        /\ IF heads = old THEN at >= memory[p].at[s] ELSE at > Latest(memory[p].at)
        /\ memory' = [memory EXCEPT ![p].heads[s] = heads, ![p].at[s] = at]
        /\ issued' = [issued EXCEPT ![p] = @ \cup {<<s, heads, at>>}]
        /\ UNCHANGED <<disk, acknowledged, runs>>

(* Rows, cursors and incarnations get to the disk in one commit.           *)
Commits(p, rows, cursors, incarnations) ==
    LET new == {<<r[1], Es(r[2]), r[3]>> : r \in rows}
        RowOf(s) == {r \in new : r[1] = s}
        Row(s) == CHOOSE r \in RowOf(s) : \A other \in RowOf(s) : other[3] <= r[3]
        heads == [s \in Sessions |-> IF RowOf(s) = {} THEN disk[p].heads[s] ELSE Row(s)[2]]
        at == [s \in Sessions |-> IF RowOf(s) = {} THEN disk[p].at[s] ELSE Row(s)[3]]
    IN  /\ new \subseteq issued[p]
        /\ Guard(\A s \in Sessions :
            /\ at[s] >= disk[p].at[s]
            /\ \A e \in disk[p].heads[s] : IsKept(e, heads[s]))
        /\ Guard(\A c \in cursors :
            IsClaimHeld(disk[c[1]].device, [incarnation |-> c[2], position |-> c[3]], heads))
        /\ disk' = [disk EXCEPT
            ![p].heads = heads, ![p].at = at, ![p].incarnations = incarnations,
            ![p].cursors = [d \in Places |->
                IF \E c \in cursors : disk[c[1]].device = d
                THEN LET c == CHOOSE c \in cursors : disk[c[1]].device = d
                     IN  [incarnation |-> c[2], position |-> c[3]]
                ELSE @[d] ]]
        /\ UNCHANGED <<memory, written, acknowledged, runs, issued>>

(* A process starts from its disk.  What others claimed of what the disk   *)
(* has now has to be true.                                                 *)
Starts(p, incarnations) ==
    /\ disk[p].incarnations = incarnations
    /\ memory' = [memory EXCEPT ![p] = [heads |-> disk[p].heads, at |-> disk[p].at]]
    /\ runs' = [runs EXCEPT ![p] = incarnations]
    /\ issued' = [issued EXCEPT ![p] = {}]
    /\ Guard(\A q \in Places :
        LET n == Resume(incarnations, disk[p].at, disk[q].cursors[disk[p].device])
        IN  disk[q].device # disk[p].device => \A s \in Sessions : disk[p].at[s] <= n =>
                \A e \in disk[p].heads[s] : IsKept(e, disk[q].heads[s]))
    /\ UNCHANGED <<disk, written, acknowledged>>

(* A process begins an incarnation; a copy has forgotten all others.       *)
Begins(p, incarnations) ==
    /\ Guard(Len(incarnations) = 1 \/ SubSeq(incarnations, 1, Len(incarnations) - 1) = runs[p])
    /\ Guard(\A q \in Places : \A n \in DOMAIN runs[q] : Present(incarnations) # runs[q][n].id)
    /\ incarnations[Len(incarnations)].start >= Latest(memory[p].at)
    /\ runs' = [runs EXCEPT ![p] = incarnations]
    /\ UNCHANGED <<memory, disk, written, acknowledged, issued>>

(* The disk of q is a copy of that of p, without its epoch.                *)
Copies(q, p, incarnations) ==
    /\ disk' = [disk EXCEPT ![q] = [disk[p] EXCEPT !.incarnations = incarnations]]
    /\ UNCHANGED <<memory, written, acknowledged, runs, issued>>

Acknowledges(p, e) ==
    /\ Guard(IsKept(e, disk[p].heads[e.session]))
    /\ acknowledged' = acknowledged \cup {e}
    /\ UNCHANGED <<memory, disk, written, runs, issued>>

(* A node sends what it wrote itself: that is on its disk.                 *)
Sends(p, e) ==
    /\ Guard(IsKept(e, disk[p].heads[e.session]))
    /\ UNCHANGED <<memory, disk, written, acknowledged, runs, issued>>

(* In the end all agree, and have what was acknowledged.                   *)
Agree(members) ==
    /\ Guard(\A p, q \in members : memory[p].heads = memory[q].heads)
    /\ Guard(\A e \in acknowledged, p \in members : IsKept(e, memory[p].heads[e.session]))
    /\ UNCHANGED <<memory, disk, written, acknowledged, runs, issued>>

Follow(step) ==
    CASE step[1] = "change" -> Changes(step[2], step[3], Es(step[4]), Es(step[5]), step[6], step[7])
      [] step[1] = "commit" -> Commits(step[2], step[3], step[4], step[5])
      [] step[1] = "start" -> Starts(step[2], step[3])
      [] step[1] = "begin" -> Begins(step[2], step[3])
      [] step[1] = "copy" -> Copies(step[2], step[3], step[4])
      [] step[1] = "acknowledge" -> Acknowledges(step[2], E(step[3]))
      [] step[1] = "send" -> Sends(step[2], E(step[3]))
      [] step[1] = "agree" -> Agree(step[2])

ReplayInit ==
    /\ memory = [p \in Places |-> [heads |-> NoHeads, at |-> NoChanges]]
    /\ disk = [p \in Places |-> [EmptyDisk(p, 0) EXCEPT !.incarnations = <<>>]]
    /\ written = {} /\ acknowledged = {}
    /\ linked = {} /\ feed = <<>> /\ fresh = 0 /\ faults = 0 /\ copies = 0
    /\ t \in 1 .. Len(Traces)
    /\ i = 1
    /\ runs = [p \in Places |-> <<>>]
    /\ issued = [p \in Places |-> {}]

ReplayNext ==
    \/ /\ i <= Len(Traces[t].steps)
       /\ Follow(Traces[t].steps[i])
       /\ i' = i + 1
       /\ t' = t
       /\ UNCHANGED <<linked, feed, fresh, faults, copies>>
    \/ i > Len(Traces[t].steps) /\ UNCHANGED <<vars, replayVars>>

ReplaySpec == ReplayInit /\ [][ReplayNext]_<<vars, replayVars>>

(* In memory what was replaced does not come back, nor is anything forged. *)
HeadsAreSound == \A p \in Places, s \in Sessions : IsAntichain(memory[p].heads[s])
=============================================================================
