/// A node without I/O: it is told what happened and answers with what to do.
///
/// This is the one entry of the core. It passes what happens to the values that know what follows,
/// from the top down, and gathers their answers into `Effects` in a fixed order:
/// `+Frames` cuts bytes into frames and finds who takes each, `+Replication` merges envelopes and
/// tells peers what changed, `+Links` begins and ends links, `+Authoring` writes, `+Blobs` carries
/// pictures, `+Conversations` joins, leaves and commits.
///
/// No clock, no randomness of its own, no order of a hash in its effects: the same inputs give the
/// same effects, so a failure replays.
package struct NodeMachine<Crypto: Cryptography, Random: RandomNumberGenerator & Sendable>:
    Sendable
{
    package let configuration: NodeConfiguration
    package let crypto: Crypto
    var random: Random
    var identity: Identity

    package internal(set) var conversations: ConversationTable
    package internal(set) var links: LinkTable
    package internal(set) var dialer: Dialer
    var author = Author()
    var blobs = BlobExchange()
    var commits = Commits()
    /// What the present call of `handle` gathers.
    var step = Step()

    /// A node with what its data directory holds.
    ///
    /// Give it the session rows with `recover`, then call `start`.
    package init(
        configuration: NodeConfiguration,
        crypto: Crypto,
        random: Random,
        recovery: Recovery
    ) {
        self.configuration = configuration
        self.crypto = crypto
        var random = random
        let processNonce = random.next()
        identity = Identity(
            device: DeviceID(publicKey: crypto.devicePublicKey, using: crypto),
            epoch: recovery.epoch ?? Epoch(random.next()),
            processNonce: processNonce
        )
        self.random = random
        let limits = configuration.limits
        links = LinkTable(
            own: LinkTable.Process(device: identity.device, nonce: processNonce),
            names: DeviceNames(recovered: recovery.deviceNames, countMax: limits.deviceNames)
        )
        dialer = Dialer(limits: limits)
        conversations = ConversationTable(device: identity.device, limits: limits)
        for conversation in recovery.conversations {
            conversations.add(conversation, epoch: identity.epoch, using: crypto)
        }
        if recovery.epoch == nil {
            step.writes.append(.epoch(identity.epoch))
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

    /// What a device is called, as it says on a link or said as a member; nil if it never did.
    package func name(of device: DeviceID) -> String? {
        device == self.device ? configuration.deviceName : links.name(of: device)
    }

    /// Whether all of a blob is here.
    package func hasBlob(_ blob: BlobID) -> Bool { blobs.isComplete(blob) }

    /// Envelope bytes that wait for the disk.
    package var pendingBytes: Int { commits.pendingBytes }

    // MARK: Inputs

    /// Begins to live: numbers its changes in a new incarnation of each feed and reserves its first
    /// sequences.
    package mutating func start(at now: Moment) -> Effects {
        step.now = now
        for index in conversations.indices { begin(index) }
        for blob in blobs.dropUnlisted() { step.writes.append(.blobDropped(blob)) }
        return finishStep()
    }

    /// Tells the node what happened; the shell carries the effects out before the next call.
    package mutating func handle(_ input: NodeInput, at now: Moment) -> Effects {
        step.now = now
        take(input)
        return finishStep()
    }

    /// Tells the node what happened, all at the same moment, in order; what follows from it is done
    /// once.
    package mutating func handle(_ inputs: [NodeInput], at now: Moment) -> Effects {
        step.now = now
        for input in inputs { take(input) }
        return finishStep()
    }

    private mutating func take(_ input: NodeInput) {
        switch input {
        case .linkOpened(let opened): linkOpened(opened)
        case .received(let link, let bytes): received(bytes, on: link)
        case .drained(let link): links.drained(link)
        case .linkClosed(let link, let reason): links.lost(link, reason, into: &step)
        case .dialFailed(let dial, _): dialer.failed(dial, at: step.now, random: &random)
        case .committed(let ticket): committed(ticket)
        case .storeBlocked(let isBlocked): storeBlocked(isBlocked)
        case .loaded(let row, let heads):
            links.loaded(row: row)
            conversations.loaded(row: row, heads: heads, into: &step)
        case .blobChunkLoaded(let read, let bytes): blobs.chunkLoaded(read, bytes)
        case .blobLoaded(let blob, let bytes): blobLoaded(blob, bytes)
        case .addressFound(let found): dialer.found(found, at: step.now)
        case .addressLost(let address): dialer.lost(address)
        case .networkChanged:
            dialer.networkChanged(at: step.now)
            links.pingAll(at: step.now, random: &random)
        case .joined(let record): joined(record)
        case .left(let conversation): left(conversation)
        case .authored(let requests): author(requests)
        case .unfollowed(let request): author.unfollowed(request)
        case .timer: break
        case .stopping: links.stop(into: &step)
        }
    }

    // MARK: Effects

    /// Everything that follows from the inputs, once, in the fixed order of `Effects`.
    mutating func finishStep() -> Effects {
        meetDeadlines()
        pump()
        author(author.takeWaiting())
        links.endOverflowing(into: &step)
        links.saveCursors(of: conversations, tickets: &commits, into: &step)
        removeClosedLinks()
        conversations.writeSessions(with: commits, into: &step)
        step.effects.persist = commits.issue(step.writes, bytes: step.contentBytes)
        links.confirm(issued: commits.issued, committed: commits.committed)
        links.handOver(into: &step)
        if !links.isStopping {
            step.effects.dials = dialer.dials(at: step.now) { links.linkedHints }
        }
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
        for index in conversations.indices { askNextHolders(index) }
        if links.takeAuditDue(at: step.now), !commits.isBlocked {
            links.startAudits(of: conversations)
        }
        links.planAudit(at: step.now, random: &random)
        blobs.retryOverdue(at: step.now)
    }

    /// The earliest moment at which something is due.
    private func nextDeadline() -> Moment? {
        var next = Earliest()
        next.add(commits.cursorsDue)
        next.add(blobs.deadline)
        next.add(links.deadline)
        if !links.isStopping { next.add(dialer.deadline) }
        next.add(conversations.deadline)
        return next.moment
    }
}
