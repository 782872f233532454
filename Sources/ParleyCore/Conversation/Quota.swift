/// How much a node keeps, or may keep, of a conversation, of a device there, of all open
/// conversations, or of all conversations.
package struct KeptAmount: Sendable, Equatable {
    /// Heads of sessions, of which each session has one or more.
    ///
    /// Each takes memory for as long as the node runs.
    package var heads: Int
    /// Bytes on the disk: the envelopes of the heads, and the blobs that each head lists.
    package var bytes: Int
    /// Origins with a stored envelope.
    ///
    /// They stay when the envelope is replaced.
    package var origins: Int

    package init(heads: Int = 0, bytes: Int = 0, origins: Int = 0) {
        self.heads = heads
        self.bytes = bytes
        self.origins = origins
    }

    package static func += (left: inout Self, right: Self) {
        left.heads += right.heads
        left.bytes += right.bytes
        left.origins += right.origins
    }

    package static func -= (left: inout Self, right: Self) {
        left.heads -= right.heads
        left.bytes -= right.bytes
        left.origins -= right.origins
    }

    /// Whether `growth` is within this limit beside what is kept already.
    ///
    /// Only what grows has to be within the limit: more may be kept, as a replacement is taken in
    /// any case and a limit may have been lowered.
    package func admits(_ growth: Self, beside kept: Self) -> Bool {
        (growth.heads <= 0 || kept.heads + growth.heads <= heads)
            && (growth.bytes <= 0 || kept.bytes + growth.bytes <= bytes)
            && (growth.origins <= 0 || kept.origins + growth.origins <= origins)
    }

    /// The greatest of the parts of this limit that are used; 1 is all of it.
    func use(by kept: Self) -> Double {
        max(
            Double(kept.heads) / Double(max(1, heads)),
            Double(kept.bytes) / Double(max(1, bytes)),
            Double(kept.origins) / Double(max(1, origins))
        )
    }

    /// Whether so much of this limit is free that links may start over: an eighth, as each of them
    /// begins its feed again.
    ///
    /// Origins of a conversation are never free again, so they do not matter here.
    func isFreeAgain(beside kept: Self) -> Bool {
        admits(Self(heads: max(1, heads / 8), bytes: max(1, bytes / 8)), beside: kept)
    }
}

/// The most that a node keeps of one conversation.
package struct Quota: Sendable, Equatable {
    package var conversation: KeptAmount
    /// The most of one device there, in all its epochs.
    package var device: KeptAmount

    package init(conversation: KeptAmount, device: KeptAmount) {
        self.conversation = conversation
        self.device = device
    }
}

/// The amounts that a node keeps of several conversations together.
package struct KeptTotals: Sendable, Equatable {
    package private(set) var all = KeptAmount()
    /// The part of the open conversations.
    package private(set) var open = KeptAmount()

    package init() {}

    /// Notes that so much is kept of a conversation, where `before` was kept of it.
    mutating func changed(_ before: KeptAmount, to now: KeptAmount, isOpen: Bool) {
        all -= before
        all += now
        guard isOpen else { return }
        open -= before
        open += now
    }
}

/// The limit that an envelope would exceed.
package enum Shortage: Sendable, Hashable {
    /// The limit of a conversation.
    case conversation
    /// The limit of all open conversations together.
    case openConversations
    /// The limit of all conversations together, also if it is that of origins.
    case allConversations
    /// The limit of this device in a conversation.
    case device(DeviceID)
    /// The origins of a conversation, of all open ones, or of a device.
    case origins
}

extension HeadRecord {
    /// The part of a quota that the head takes.
    var kept: KeptAmount {
        KeptAmount(heads: 1, bytes: size + BlobReference.bytes(of: blobs))
    }
}

extension BlobReference {
    /// The sizes of blobs together.
    ///
    /// They were checked against `Limits.blobBytes`.
    static func bytes(of blobs: [BlobReference]) -> Int { blobs.reduce(0) { $0 + Int($1.size) } }
}
