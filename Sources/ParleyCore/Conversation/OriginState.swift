/// An origin that a peer introduced here before the first envelope.
package struct IntroducedOrigin: Hashable, Sendable {
    package let conversation: UInt32
    package let id: OriginID

    package init(conversation: UInt32, id: OriginID) {
        self.conversation = conversation
        self.id = id
    }
}

/// An origin with its author, and the checked batches of its envelopes.
package struct OriginState: Sendable {
    package let record: OriginRecord
    /// The device on which the author writes: the author itself, or the host of a guest.
    package let device: DeviceID
    package let author: AuthorView
    /// The number of the device among the writers; `noWriter` while no envelope is stored.
    var writer = Self.noWriter
    static let noWriter: Int32 = -1
    package internal(set) var checkedBatches = CheckedBatches()
    /// The body key in the generation of the latest opened envelope.
    var bodyKey: (generation: UInt64?, key: Bytes32)?
    /// Whether a peer introduced the origin, and may send its envelopes.
    var isIntroduced = false
    /// The link on which the latest envelope came first: the way of receipts to the author.
    var source: LinkID?
    /// The times that envelopes came; only differences count.
    private(set) var arrivals: UInt32 = 0

    init(
        _ record: OriginRecord,
        in conversation: ConversationID,
        using crypto: some Cryptography
    ) {
        self.record = record
        let device = record.device(using: crypto)
        author = AuthorView(
            device: device,
            participant: ParticipantID(conversation: conversation, device: device, using: crypto),
            host: record.host?.device(using: crypto)
        )
        self.device = author.host ?? device
    }

    /// Whether an envelope of the origin is, or was, stored.
    package var isStored: Bool { writer != Self.noWriter }

    /// New envelopes came on a link.
    ///
    /// - Returns: whether the envelopes before came on another link.
    mutating func came(on link: LinkID) -> Bool {
        arrivals &+= 1
        guard source != link else { return false }
        source = link
        return true
    }
}
