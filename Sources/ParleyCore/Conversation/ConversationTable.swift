/// The conversations of a node, ascending by number, and the cache of their envelopes.
package struct ConversationTable: Sendable {
    /// This node's device.
    let device: DeviceID
    private let limits: Limits
    private var conversations: [Conversation] = []
    /// The numbers of `conversations`, in the same order.
    private var numbers: [UInt32] = []
    /// The amounts kept of all conversations together.
    package private(set) var totals = KeptTotals()
    private var cache: EnvelopeCache
    private var signals = SignalTable()
    /// The rules of the apps on this node.
    package var rules: MatchRules? {
        didSet {
            for index in conversations.indices { conversations[index].roles.matches.rules = rules }
        }
    }
    /// Changed sessions, whose rows are written at the end of this step, in the order of the
    /// changes.
    private var changedSessions: [(conversation: Int, session: Int32)] = []

    /// An empty table of this node's device.
    package init(device: DeviceID, limits: Limits) {
        self.device = device
        self.limits = limits
        cache = EnvelopeCache(limit: limits.cacheBytes)
    }

    /// The conversations, ascending by number.
    package var all: [Conversation] { conversations }

    /// The index of the conversation with this number.
    package func index(of number: UInt32) -> Int? {
        let index = numbers.partitioningIndex { $0 >= number }
        return index < numbers.count && numbers[index] == number ? index : nil
    }

    /// The numbers of the conversations that everybody may join.
    package var openNumbers: Set<UInt32> {
        Set(conversations.filter(\.record.isOpen).map(\.number))
    }

    /// The moment at which the earliest want is overdue.
    package var deadline: Moment? {
        var next = Earliest()
        for index in conversations.indices { next.add(conversations[index].wants.deadline) }
        return next.moment
    }

    // MARK: Joining and leaving

    /// Adds a conversation in the order of the numbers.
    ///
    /// - Returns: the index of the conversation.
    @discardableResult
    package mutating func add(
        _ recovered: RecoveredConversation,
        epoch: Epoch,
        using crypto: some Cryptography
    ) -> Int {
        var conversation = Conversation(
            recovered: recovered,
            device: device,
            epoch: epoch,
            limits: limits,
            using: crypto
        )
        conversation.roles.matches.rules = rules
        let index = numbers.partitioningIndex { $0 >= conversation.number }
        conversations.insert(conversation, at: index)
        count(index)
        numbers.insert(conversation.number, at: index)
        return index
    }

    /// Adds and writes a new conversation, if the limits allow one more.
    ///
    /// - Returns: the index of the conversation.
    package mutating func join(
        _ record: ConversationRecord,
        epoch: Epoch,
        tickets: Commits,
        using crypto: some Cryptography,
        into step: inout Step
    ) -> Int? {
        guard index(of: record.number) == nil, conversations.count < limits.conversations else {
            return nil
        }
        // The indices in `changedSessions` are about to shift.
        writeSessions(with: tickets, into: &step)
        var row = record
        row.creator = nil
        step.writes.append(.conversation(row))
        if let creator = record.creator {
            let birth = Birth(publicWriteKey: record.capability.publicWriteKey, creator: creator)
            let number = record.number
            step.writes.append(.member(conversation: number, .birth, Slice(birth.packed)))
        }
        return add(RecoveredConversation(record: record), epoch: epoch, using: crypto)
    }

    /// Removes a conversation with everything in it.
    ///
    /// - Returns: the blobs that heads listed there; nil for an unknown conversation.
    package mutating func leave(
        _ number: UInt32,
        tickets: Commits,
        into step: inout Step
    ) -> [BlobReference]? {
        guard let index = index(of: number) else { return nil }
        writeSessions(with: tickets, into: &step)
        step.writes.append(.conversationLeft(number))
        numbers.remove(at: index)
        let left = conversations.remove(at: index)
        totals.changed(left.kept, to: KeptAmount(), isOpen: left.record.isOpen)
        let heads = left.sessions.flatMap(\.heads)
        for head in heads { cache.dropped(head.place, size: head.size) }
        return heads.flatMap(\.blobs)
    }

    // MARK: Starting

    /// Starts an incarnation of the feed of a conversation.
    package mutating func begin(_ index: Int, incarnation id: UInt64, into step: inout Step) {
        let incarnation = conversations[index].begin(id)
        step.writes.append(
            .incarnationStarted(conversation: conversations[index].number, incarnation)
        )
    }

    /// Reserves sequences for messages of this node if few are left.
    mutating func reserveSequences(
        of index: Int,
        tickets: inout Commits,
        into step: inout Step
    ) {
        guard let end = conversations[index].reserveSequences() else { return }
        let number = conversations[index].number
        step.writes.append(.sequencesReserved(conversation: number, end: end))
        tickets.reservesSequences(of: number)
    }

    /// Makes this device write under the origins of another epoch.
    mutating func renew(epoch: Epoch, using crypto: some Cryptography) {
        for index in conversations.indices {
            conversations[index].renew(epoch: epoch, using: crypto)
        }
    }

    /// Forgets all incarnations in a copied or moved data directory, so that each peer starts over.
    ///
    /// A peer may have followed the feed of the original. A session may have moved there past the
    /// peer's cursor, so that the peer did not get the latest change. Here the session is still at
    /// its old position, which the cursor would skip.
    package mutating func forgetIncarnations(into step: inout Step) {
        for index in conversations.indices where conversations[index].presentIncarnation != nil {
            conversations[index].forgetIncarnations()
            step.writes.append(.incarnationsForgotten(conversation: conversations[index].number))
        }
    }

    // MARK: Envelopes

    /// Reads a frame with envelopes, which are kept as parts of it until `close`.
    mutating func open(_ raw: RawFrame, of index: Int?) throws(Refusal) -> FrameEnvelopes {
        do throws(CodecError) {
            guard raw.type == BatchFrame.type else { return try FrameEnvelopes(alone: raw.body) }
            let number = index.map { conversations[$0].number } ?? 0
            return FrameEnvelopes(of: try cache.open(raw.body, of: number))
        } catch {
            throw .malformed(error)
        }
    }

    /// No more envelopes of a frame will be kept.
    ///
    /// - Returns: the bytes that rows to write with any of the envelopes keep in memory.
    mutating func close(_ envelopes: FrameEnvelopes) -> Int {
        guard let block = envelopes.block else { return 0 }
        cache.close(block)
        return block.bytes.count
    }

    /// Checks the proof of an envelope from a link, unless the envelope is a head already.
    mutating func arrival(
        _ received: ReceivedEnvelope,
        by proof: EnvelopeProof,
        on link: LinkID,
        in index: Int,
        using crypto: some Cryptography
    ) throws(Refusal) -> Arrival {
        let head = received.items.head(in: conversations[index].record.id, using: crypto)
        let session = conversations[index].sessionNumber(received.items.header.tag)
        // One mutating call: for a call that only reads, the compiler copies the conversation.
        let wasVerified = try conversations[index].verify(
            head,
            by: proof,
            in: session,
            using: crypto
        )
        return Arrival(received, head, source: link, session: session, wasVerified: wasVerified)
    }

    /// Merges a checked envelope into its session.
    package mutating func merge(
        _ arrival: Arrival,
        into index: Int,
        tickets: Commits,
        openLinks: [LinkID],
        using crypto: some Cryptography
    ) -> MergeReport {
        let report = conversations[index].merge(
            arrival,
            MergeTerms(
                ticket: tickets.next,
                mayGrow: !tickets.isBlocked,
                totals: totals,
                openLinks: openLinks
            ),
            cache: &cache,
            using: crypto
        )
        count(index)
        if let session = report.changedSession { changedSessions.append((index, session)) }
        return report
    }

    /// Merges the next envelopes of a batch frame, as far as that is usual: see `UsualRun`.
    mutating func mergeRun(
        of envelopes: inout FrameEnvelopes,
        into index: Int,
        _ terms: RunTerms,
        using crypto: some Cryptography
    ) -> UsualRun {
        let run = UsualRun(
            of: &envelopes,
            into: &conversations[index],
            terms,
            cache: &cache,
            changed: { changedSessions.append((index, $0)) },
            using: crypto
        )
        if run.count > 0 { count(index) }
        return run
    }

    // MARK: Quotas

    /// Updates the totals with the present amount of a conversation.
    private mutating func count(_ index: Int) {
        conversations[index].amounts.count(in: &totals)
    }

    /// The greatest used parts of the quotas of one, of all open, and of all conversations; 1 is
    /// full.
    package var quotaUse: (single: Double, open: Double, all: Double) {
        (
            conversations.indices.lazy.map { conversations[$0].quotaUse }.max() ?? 0,
            limits.openConversations.use(by: totals.open),
            limits.allConversations.use(by: totals.all)
        )
    }

    /// The refusal of an envelope of this node that exceeds a limit; nil if there is capacity.
    func refusal(of arrival: Arrival, in index: Int) -> AuthorAnswer? {
        let session = conversations[index].sessionNumber(arrival.header.tag)
        return conversations[index].shortage(for: arrival, in: session, beside: totals)
            .map { .conversationFull($0, limit: conversations[index].amounts.limit(of: $0)) }
    }

    /// The conversations that have capacity again after envelopes were left out.
    package mutating func takeResumptions() -> [UInt32] {
        var numbers: [UInt32] = []
        for index in conversations.indices where conversations[index].shortage != nil {
            guard conversations[index].amounts.takeResumption(beside: totals) else { continue }
            numbers.append(conversations[index].number)
        }
        return numbers
    }

    /// Forgets origins without a stored envelope that no link introduced.
    package mutating func forget(_ introduced: [IntroducedOrigin]) {
        for origin in introduced {
            guard let index = index(of: origin.conversation) else { continue }
            conversations[index].forgetOrigin(origin.id)
        }
    }

    /// Whether an origin is known and has no stored envelope.
    package func isUnused(_ origin: IntroducedOrigin) -> Bool {
        index(of: origin.conversation).map { conversations[$0].isUnused(origin.id) } ?? false
    }

    /// The listings of a blob, one for each conversation and each size named in a head there.
    package func listings(of blob: BlobID) -> [BlobListing] {
        conversations.flatMap { conversation in
            conversation.sessions.references(to: blob)
                .map { BlobListing(conversation: conversation.number, blob: $0) }
        }
    }

    // MARK: Signals

    /// Seals and signs a signal of this device or a guest; nil if it may not send one now.
    mutating func signal(
        _ request: SignalRequest,
        in index: Int,
        at now: Moment,
        using crypto: some Cryptography,
        random: inout some RandomNumberGenerator
    ) -> PassedSignal? {
        signals.signal(
            request,
            by: device,
            in: &conversations[index],
            at: now,
            using: crypto,
            random: &random
        )
    }

    /// Checks a signal of a member; nil if it does not go on.
    mutating func heard(
        _ frame: SignalFrame,
        in index: Int,
        at now: Moment,
        using crypto: some Cryptography
    ) throws(Refusal) -> PassedSignal? {
        try signals.heard(frame, in: conversations[index], at: now, using: crypto)
    }

    // MARK: Rows

    /// Whether sessions changed in this step.
    var haveChanged: Bool { !changedSessions.isEmpty }

    /// Writes the rows of the sessions that changed in this step, and evicts old envelopes.
    package mutating func writeSessions(with tickets: Commits, into step: inout Step) {
        for (index, session) in changedSessions {
            step.writes.append(.session(conversations[index].write(session, with: tickets.next)))
        }
        changedSessions = []
        for block in cache.takeSparse() {
            guard let index = index(of: block.conversation) else { continue }
            conversations[index].sessions.copyOut(of: block, in: &cache)
        }
        while let (number, session) = cache.next() {
            guard let index = index(of: number) else { continue }
            let isEvicted = conversations[index].sessions.evict(
                session,
                committed: tickets.committed,
                from: &cache
            )
            guard isEvicted else {
                cache.queued(conversation: number, session: session)
                break
            }
        }
    }

    /// The writes up to a ticket are on disk.
    package mutating func committed(_ ticket: Ticket, _ done: CommitsDone) {
        for index in conversations.indices { conversations[index].committed(ticket) }
        for number in done.reserved {
            guard let index = index(of: number) else { continue }
            conversations[index].reservationCommitted()
        }
        for pending in done.cursors {
            guard let index = index(of: pending.conversation) else { continue }
            conversations[index].committed(pending.cursor, of: pending.peer)
        }
    }

    /// Removes the heads of a session that do not count any more.
    ///
    /// - Returns: the blobs that the heads listed.
    mutating func removeHeadsOut(
        of session: Int32,
        in index: Int,
        until ticket: Ticket,
        using crypto: some Cryptography
    ) -> [BlobReference] {
        let unlisted = conversations[index]
            .removeHeadsOut(of: session, until: ticket, cache: &cache, using: crypto)
        guard let unlisted else { return [] }
        count(index)
        changed(session, in: index)
        return unlisted
    }

    /// A session changed otherwise than by a merge.
    mutating func changed(_ session: Int32, in index: Int) {
        guard !conversations[index].sessions[Int(session)].isDirty else { return }
        conversations[index].sessions[Int(session)].isDirty = true
        changedSessions.append((index, session))
    }

    /// Starts to read the envelopes of these rows back.
    ///
    /// - Returns: the reads, without those that are under way already.
    package mutating func startReading(_ rows: [Int64]) -> [StoreRead] {
        rows.filter { cache.awaits(row: $0) }.map { .session(row: $0) }
    }

    /// Evicted envelopes were read back.
    package mutating func loaded(row: Int64, heads: Few<StoredHead>, into step: inout Step) {
        cache.loaded(row: row)
        for index in conversations.indices {
            guard let found = conversations[index].sessions.restore(heads, row: row, in: &cache)
            else { continue }
            for _ in 0..<found.lost {
                step.deliver(.damaged(row: row, "a head is not there any more"))
            }
            if let session = found.rewritten { changedSessions.append((index, session)) }
            return
        }
    }

    /// The name of a guest here, or the name that a device or guest sealed in messages of the first
    /// conversation that knows one.
    package func name(of device: DeviceID) -> String? {
        for index in conversations.indices {
            if let name = conversations[index].origins.seats.name(of: device) { return name }
            if let name = conversations[index].names[device] { return name }
        }
        return nil
    }

    /// Adds a session from the data directory.
    package mutating func recover(
        _ row: SessionRow,
        using crypto: some Cryptography
    ) -> RowReport {
        guard row.row > 0, row.row < Int64.max / 2 else {
            return RowReport(damage: .numberOutOfRange)
        }
        cache.found(row: row.row)
        guard let index = index(of: row.conversation) else {
            return RowReport(damage: .conversationUnknown)
        }
        defer { count(index) }
        return conversations[index].recover(row, into: &cache, using: crypto)
    }
}

extension ConversationTable: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { conversations.count }

    /// Reads and changes a conversation in place: a copy costs more than most changes.
    #if DEBUG
    // Debug builds of Swift 6.3.1 read parts of a yielded value after the access.
    package subscript(index: Int) -> Conversation {
        get { conversations[index] }
        _modify { yield &conversations[index] }
    }
    #else
    package subscript(index: Int) -> Conversation {
        _read { yield conversations[index] }
        _modify { yield &conversations[index] }
    }
    #endif
}
