/// An amount kept, or its limit: of a conversation, a device in it, all open conversations, or all.
package struct KeptAmount: Sendable, Equatable {
    /// The number of heads of sessions.
    ///
    /// Each session has at least one head, which takes memory for as long as the node runs.
    package var heads: Int
    /// Bytes on the disk: the envelopes of the heads, and the blobs that each head lists.
    package var bytes: Int
    /// The number of origins of which an envelope is, or was, stored.
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

    /// Whether `growth` is within this limit beside the amount already kept.
    ///
    /// A part that does not grow may exceed the limit: replacements are always taken, and a limit
    /// may have been lowered.
    package func admits(_ growth: Self, beside kept: Self) -> Bool {
        (growth.heads <= 0 || kept.heads + growth.heads <= heads)
            && (growth.bytes <= 0 || kept.bytes + growth.bytes <= bytes)
            && (growth.origins <= 0 || kept.origins + growth.origins <= origins)
    }

    /// The greatest used part of this limit; 1 is all of it.
    func use(by kept: Self) -> Double {
        max(
            Double(kept.heads) / Double(max(1, heads)),
            Double(kept.bytes) / Double(max(1, bytes)),
            Double(kept.origins) / Double(max(1, origins))
        )
    }

    /// Whether an eighth of this limit is free, enough for links to start their feeds over.
    ///
    /// Origins do not matter here, because those of a conversation are never free again.
    func isFreeAgain(beside kept: Self) -> Bool {
        admits(Self(heads: max(1, heads / 8), bytes: max(1, bytes / 8)), beside: kept)
    }
}

/// The most that a node keeps of one conversation.
package struct Quota: Sendable, Equatable {
    package var conversation: KeptAmount
    /// The most of one device in the conversation, in all its epochs.
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

    /// Updates the totals after the amount kept of a conversation has changed.
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
    /// The limit of all conversations together, or its part for origins.
    case allConversations
    /// The limit of this device in a conversation.
    case device(DeviceID)
    /// The origins of a conversation, of all open conversations, or of a device.
    case origins
}

extension HeadRecord {
    /// The part of a quota that the head takes.
    var kept: KeptAmount {
        KeptAmount(heads: 1, bytes: size + BlobReference.bytes(of: blobs))
    }
}

extension BlobReference {
    /// The total size of blobs, each of which is within `Limits.blobBytes`.
    static func bytes(of blobs: [BlobReference]) -> Int { blobs.reduce(0) { $0 + Int($1.size) } }
}
