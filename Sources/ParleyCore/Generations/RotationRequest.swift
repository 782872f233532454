/// The wish for other keys of a conversation, perhaps without some devices.
package struct RotationRequest: Sendable, Equatable {
    package let request: RequestID
    package let conversation: UInt32
    package let without: [DeviceID]

    package init(request: RequestID, conversation: UInt32, without: [DeviceID]) {
        self.request = request
        self.conversation = conversation
        self.without = without
    }
}

/// The keys of a conversation are other ones now.
package struct GenerationNotice: Sendable, Equatable {
    package let conversation: UInt32
    /// The number of the current generation, from 1.
    package let number: UInt32
    /// The device that changed the keys.
    package let author: DeviceID
    /// The generations that lead to the current one and did not before, the oldest first.
    package let new: [GenerationID]
    /// The place of this node now.
    package let standing: Generations.Standing
    /// Whether the author keeps from whoever joins later what was written under the keys before.
    package let hidesEarlier: Bool
}
