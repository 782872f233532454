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
