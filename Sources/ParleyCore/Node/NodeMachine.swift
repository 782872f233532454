/// A node without I/O: it is told what happened and answers with what to do.
///
/// This is the one entry of the core. The way of an envelope through it:
/// `+Frames` (bytes to frames) → `+Envelopes` (proof, register) → `+Sessions` (rows, memory) →
/// `+Showing` (what people see) → `+Feed`, `+Runs` and `+Passing` (on to the other links);
/// `+Authoring` makes new ones, `+Have` tells and asks, `+Blobs` carries pictures, `+Links` begins
/// and ends links, `+Deadlines` does what time brings, `+Reading` answers questions.
///
/// No clock, no randomness of its own, no order of a hash in its effects: the same inputs give the
/// same effects, so a failure replays.
package struct NodeMachine<Crypto: Cryptography, Random: RandomNumberGenerator & Sendable>:
    Sendable
{
    package let configuration: NodeConfiguration
    package let crypto: Crypto
    package let device: DeviceID
    package internal(set) var epoch: Epoch
    let processNonce: UInt64
    var random: Random

    /// Ascending by number.
    package internal(set) var conversations: [ConversationState] = []
    /// Ascending by ID.
    package internal(set) var links: [Link] = []
    package internal(set) var book: AddressBook
    var names: DeviceNames
    var commits = Commits()
    var cache: EnvelopeCache
    var blobs = BlobExchange()
    var nextRow: Int64 = 1
    /// Session rows that are being read back.
    var rowsAwaited: Set<Int64> = []
    /// Nonces of other processes that use this device's key.
    var twins: [UInt64] = []
    /// Requests that wait for a commit, in their order.
    var waitingRequests: [AuthorRequest] = []
    /// Who waits to hear how many nodes have a message.
    var audience = Audience()
    /// What went over the links since the start.
    package internal(set) var figures = NodeFigures()
    var auditDue: Moment?
    /// When to look whom to dial, if the book does not change before.
    var dialsDue: Moment?
    var cursorsDue: Moment?
    var isStopping = false
    /// Built by the present call of `handle`.
    var turn = Turn()

    /// A node with what its data directory holds.
    ///
    /// Give it the session rows with `recover`, then
    /// call `start`.
    package init(
        configuration: NodeConfiguration,
        crypto: Crypto,
        random: Random,
        recovery: Recovery
    ) {
        self.configuration = configuration
        self.crypto = crypto
        device = DeviceID(publicKey: crypto.devicePublicKey, using: crypto)
        var random = random
        processNonce = random.next()
        epoch = recovery.epoch ?? Epoch(random.next())
        self.random = random
        book = AddressBook(limits: configuration.limits)
        names = DeviceNames(
            recovered: recovery.deviceNames,
            countMax: configuration.limits.deviceNames
        )
        cache = EnvelopeCache(limit: configuration.limits.cacheBytes)
        if recovery.epoch == nil { turn.writes.append(.epoch(epoch)) }
        for conversation in recovery.conversations {
            let keys = ConversationKeys(
                record: conversation.record,
                device: device,
                epoch: epoch,
                using: crypto
            )
            conversations.append(ConversationState(recovered: conversation, keys: keys))
            adoptOrigins(of: conversation)
        }
        if recovery.epoch == nil { forgetRuns() }
        blobs.recover(recovery.blobs)
        for address in recovery.addresses {
            let found = FoundAddress(
                text: address.text,
                source: .remembered,
                device: address.device
            )
            book.found(found, at: .start)
        }
    }

    /// Tells the node what happened; the shell carries the effects out before the next call.
    package mutating func handle(_ input: NodeInput, at now: Moment) -> Effects {
        turn.now = now
        take(input)
        return finishTurn()
    }

    /// Tells the node what happened, all at the same moment, in order; what follows from it is done
    /// once.
    package mutating func handle(_ inputs: [NodeInput], at now: Moment) -> Effects {
        turn.now = now
        for input in inputs { take(input) }
        return finishTurn()
    }

    private mutating func take(_ input: NodeInput) {
        switch input {
        case .linkOpened(let opened): linkOpened(opened)
        case .received(let link, let bytes): received(bytes, on: link)
        case .drained(let link): drained(link)
        case .linkClosed(let link, let reason): linkClosed(link, reason)
        case .dialFailed(let dial, _): dialFailed(dial)
        case .committed(let ticket): committed(ticket)
        case .storeBlocked(let isBlocked): storeBlocked(isBlocked)
        case .loaded(let row, let heads): loaded(row: row, heads: heads)
        case .blobChunkLoaded(let read, let bytes): blobs.chunkLoaded(read, bytes)
        case .blobLoaded(let blob, let bytes): blobLoaded(blob, bytes)
        case .addressFound(let found): book.found(found, at: turn.now)
        case .addressLost(let address): book.lost(address)
        case .networkChanged: networkChanged()
        case .joined(let record): joined(record)
        case .left(let conversation): left(conversation)
        case .authored(let requests): author(requests)
        case .unfollowed(let request): audience.forget(request)
        case .timer: break
        case .stopping: stop()
        }
    }

    /// Everything that follows from the input, once, in the fixed order of `Effects`.
    mutating func finishTurn() -> Effects {
        meetDeadlines()
        pump()
        authorWaiting()
        endOverflowing()
        saveCursors()
        removeClosedLinks()
        writeSessions()
        turn.effects.persist = commits.issue(turn.writes, bytes: turn.envelopeBytes)
        confirm()
        handOver()
        turn.effects.dials = dials()
        turn.effects.timer = nextDeadline()
        defer { turn = Turn() }
        return turn.effects
    }

    /// Hands over what was gathered for links.
    private mutating func handOver() {
        let limit = configuration.limits.outboxBytes
        for index in links.indices {
            for bytes in links[index].outbox.take() {
                turn.effects.sends.append(LinkSend(link: links[index].id, bytes: bytes))
            }
            guard links[index].outbox.asksForDrain(limit: limit) else { continue }
            turn.effects.drains.append(links[index].id)
        }
        turn.effects.sends += turn.farewells
    }
}

/// What one call of `handle` gathers.
struct Turn: Sendable {
    var now = Moment.start
    var writes: [StoreWrite] = []
    /// Sessions whose rows are to be written, in the order in which they changed.
    var changedSessions: [(slot: Int, session: Int32)] = []
    /// Bytes of envelopes among the writes.
    var envelopeBytes = 0
    var effects = Effects()
    /// Whether what authors wait for may have come: a commit, or that there are none for now.
    var isAuthoringDue = false
    /// Last bytes of links that end in this turn.
    var farewells: [LinkSend] = []
    /// Parts of feeds that several links may send.
    var runs: [EncodedRun.Key: EncodedRun] = [:]
}
