/// A node without I/O: it handles inputs and returns effects.
///
/// This is the only entry of the core. It passes each input down to the value that owns the matter,
/// and gathers the answers into `Effects` in a fixed order: `+Frames` cuts bytes into frames and
/// dispatches them, `+Replication` merges envelopes and sends changes to peers, `+Links` begins and
/// ends links, `+Authoring` writes messages, `+Blobs` carries pictures, and `+Conversations` joins,
/// leaves and commits.
///
/// A machine has no clock and no randomness of its own, and no effect depends on the order of a
/// hash table. So the same inputs give the same effects, and a failure can be replayed.
package struct NodeMachine: Sendable {
    package let configuration: NodeConfiguration
    package let crypto: any Cryptography
    var random: any RandomNumberGenerator & Sendable
    var identity: Identity

    package var conversations: ConversationTable
    package internal(set) var links: LinkTable
    package internal(set) var dialer: Dialer
    package internal(set) var author = Author()
    var blobs = BlobExchange()
    package internal(set) var members: MemberTable
    var commits = Commits()
    /// The state of the current call of `handle`.
    var step = Step()

    /// A node that is recovered from its data directory.
    ///
    /// Give it the session rows with `recover`, then call `start`.
    package init(
        configuration: NodeConfiguration,
        crypto: any Cryptography,
        random: any RandomNumberGenerator & Sendable,
        recovery: Recovery
    ) {
        self.configuration = configuration
        self.crypto = crypto
        var random = random
        let device = DeviceID(publicKey: crypto.devicePublicKey, using: crypto)
        let processNonce = random.next()
        let epoch = recovery.epoch ?? Epoch(random.next())
        var recovery = recovery
        let skipped = recovery.epoch == nil ? recovery.skipNumbers(using: &random) : []
        identity = Identity(device: device, epoch: epoch, processNonce: processNonce)
        self.random = random
        let limits = configuration.limits
        links = LinkTable(
            own: LinkList.Process(device: device, nonce: processNonce),
            names: DeviceNames(recovered: recovery.deviceNames, countMax: limits.deviceNames),
            gate: configuration.gate
        )
        dialer = Dialer(limits: limits, mayDial: configuration.mayDial)
        conversations = ConversationTable(device: device, limits: limits)
        members = MemberTable(recovered: recovery.conversations, using: crypto)
        members.cards.show(configuration.person, at: .start)
        author.receipts.recover(recovery.conversations)
        for conversation in recovery.conversations {
            conversations.add(conversation, epoch: epoch, using: crypto)
        }
        step.writes += recovery.corrections
        if recovery.epoch == nil {
            step.writes += [.epoch(epoch)] + skipped
            conversations.forgetIncarnations(into: &step)
        }
        blobs.recover(recovery.blobs)
        for address in recovery.addresses { dialer.remembered(address) }
    }

    package var device: DeviceID { identity.device }
    package var epoch: Epoch { identity.epoch }

    /// The conversation with this number.
    package func conversation(_ number: UInt32) -> Conversation? {
        conversations.index(of: number).map { conversations[$0] }
    }

    /// The name that a device gave on a link, earlier as a member, or in messages; nil if unknown.
    package func name(of device: DeviceID) -> String? {
        guard device != self.device else { return configuration.deviceName }
        return links.name(of: device) ?? conversations.name(of: device)
            ?? members.cards.name(of: device)
    }

    /// Whether a blob is complete here.
    package func hasBlob(_ blob: BlobID) -> Bool { blobs.isComplete(blob) }

    // MARK: Inputs

    /// Starts the node: begins a new incarnation of each feed, and reserves the first sequences.
    package mutating func start(at now: Moment) -> Effects {
        step.now = now
        for index in conversations.indices { begin(index) }
        for blob in blobs.dropUnlisted() { step.writes.append(.blobDropped(blob)) }
        blobs.startScrub(at: now)
        return finishStep()
    }

    /// Handles an input; the shell carries out the effects before the next call.
    package mutating func handle(_ input: NodeInput, at now: Moment) -> Effects {
        step.now = now
        take(input)
        return finishStep()
    }

    /// Handles several inputs of one moment, in order, with one set of effects.
    package mutating func handle(_ inputs: [NodeInput], at now: Moment) -> Effects {
        step.now = now
        for input in inputs { take(input) }
        return finishStep()
    }

    private mutating func take(_ input: NodeInput) {
        switch input {
        case .linkOpened(let opened): linkOpened(opened)
        case .received(let link, let bytes): received(bytes, on: link)
        case .drained(let link): links.all.drained(link)
        case .unacknowledged(let id): links.all.unacknowledged(id, at: step.now, random: &random)
        case .linkClosed(let link, let reason): links.all.lost(link, reason, into: &step)
        case .dialFailed(let dial, let why): dialer.failed(dial, why, at: step.now, random: &random)
        case .committed(let ticket): committed(ticket)
        case .storeBlocked(let isBlocked): storeBlocked(isBlocked)
        case .loaded(let row, let heads):
            links.all.loaded(row: row)
            conversations.loaded(row: row, heads: heads, into: &step)
        case .blobChunkLoaded(let read, let bytes):
            blobs.chunkLoaded(read, bytes, listings: conversations.listings, into: &step)
        case .blobLoaded(let blob, let stored): blobLoaded(blob, stored)
        case .blobDoubted(let blob): blobs.doubt(blob, into: &step)
        case .addressFound(let found): dialer.found(found, at: step.now)
        case .addressLost(let address): dialer.lost(address)
        case .networkChanged:
            dialer.networkChanged(at: step.now)
            links.all.pingAll(at: step.now, random: &random)
        case .joined(let record): joined(record)
        case .left(let conversation): left(conversation)
        case .seated(let number, let seat, let guest):
            step.writes += conversations.seat(guest, seat, in: number, epoch: epoch, using: crypto)
        case .authored(let requests): author(requests)
        case .signalled(let request): signal(request)
        case .unfollowed(let request): author.unfollow(request)
        case .pairing(let request): links.pair(request, using: crypto, random: &random, into: &step)
        case .invited(let number, let invite, let clock):
            members.keep(invite, of: number, clock, conversations, &step)
        case .knock(let door): members.knock(at: door, &links, &dialer, at: step.now, crypto)
        case .owned(let person): members.cards.show(person, at: step.now)
        case .rotated(let request): KeyChanges.rotate(request, &self)
        case .clocked(let clock):
            let ticket = commits.next
            members.judgeKnocks(by: clock, &links, conversations, until: ticket, &step, crypto)
        case .gated(let gate):
            links.use(gate, into: &step)
            dialer.joined(at: step.now)
        case .timer: break
        case .stopping:
            Cards.leave(&self)
            members.stop(&links, &step)
        }
    }

    /// Finishes a step: does once whatever follows from its inputs, and returns the effects.
    mutating func finishStep() -> Effects {
        meetDeadlines()
        pump()
        author(author.takeWaiting())
        links.endOverflowing(into: &step)
        links.all.startOver(&conversations, into: &step)
        links.all.saveCursors(of: conversations, tickets: &commits, into: &step)
        removeClosedLinks()
        promoteMembers()
        conversations.writeSessions(with: commits, into: &step)
        step.effects.persist = commits.issue(step.writes, bytes: step.contentBytes)
        links.all.confirm(issued: commits.issued, committed: commits.committed, at: step.now)
        links.handOver(into: &step)
        let awaited = links.pairings.wantedHint ?? members.requests.wantedHint
        dialer.personAwaits(awaited, at: step.now)
        if !links.isStopping {
            let linksMax = configuration.limits.links
            step.effects.dials = dialer.dials(
                at: step.now,
                linked: { links.linkedHints },
                isBarred: links.gate.bars,
                isReached: { links.all.isReached($0) },
                isFull: { links.all.memberCount >= linksMax }
            )
        }
        step.effects.asksForClock = members.invites.asksForClock(at: step.now)
        step.effects.timer = nextDeadline()
        defer { step = Step() }
        return step.effects
    }

    private mutating func meetDeadlines() {
        for index in links.indices {
            switch links.meetDeadlines(of: index, into: &step, random: &random) {
            case nil: break
            case .sharesNothing(let address): dialer.sharedNothing(at: address)
            case .suspected(let device, let isMember):
                dialer.suspected(device, isMember: isMember, at: step.now)
            }
        }
        links.letGo(reachable: { dialer.reachableHints }, isUsed: { blobs.isUsed($0) }, into: &step)
        links.endOverduePairings(into: &step)
        members.endOverdueKnocks(into: &step)
        Cards.sendDue(&self)
        links.all.askNextHolders(of: &conversations, at: step.now)
        links.audit(conversations, isPaused: commits.isBlocked, at: step.now, random: &random)
        blobs.retryOverdue(at: step.now)
        author.askAudience(&links, conversations, at: step.now)
        author.sendReceipts(&links, conversations, commits, blobs, members, &step, crypto)
        if !commits.isBlocked { blobs.scrubNext(limits: configuration.limits, into: &step) }
    }

    /// The earliest moment at which something is due.
    private func nextDeadline() -> Moment? {
        var next = Earliest()
        next.add(commits.cursorsDue)
        next.add(blobs.deadline)
        next.add(author.deadline)
        if !commits.isBlocked { next.add(blobs.scrubDeadline) }
        next.add(links.deadline)
        next.add(members.deadline)
        if !links.isStopping { next.add(dialer.deadline) }
        next.add(conversations.deadline)
        return next.moment
    }
}
