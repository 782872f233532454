package import ParleyCore

/// The members with a link since the node was started, and the conversations shared on the link.
///
/// A data directory has the conversations of a device only if the device has written there or its
/// feed was read. Of other members the directory has names and addresses at most.
package struct MetMembers {
    private var conversations: [DeviceID: Set<UInt32>] = [:]
    private let countMax: Int

    /// Makes an empty set; beyond `countMax`, members are not remembered.
    ///
    /// No member is dropped for another, so that nobody can drive others out.
    package init(countMax: Int = 1_024) {
        self.countMax = countMax
    }

    /// A device has proved that it shares a conversation.
    ///
    /// A device of an open conversation can be anybody, so it is added only while less than half of
    /// the capacity is used.
    package mutating func met(_ device: DeviceID, in conversation: UInt32, isOpen: Bool) {
        let capacity = isOpen ? countMax / 2 : countMax
        guard conversations[device] != nil || conversations.count < capacity else { return }
        conversations[device, default: []].insert(conversation)
    }

    /// This node has left a conversation.
    package mutating func left(_ conversation: UInt32) {
        for device in conversations.keys { conversations[device]?.remove(conversation) }
        conversations = conversations.filter { !$0.value.isEmpty }
    }

    /// The devices that shared a conversation on a link, in no particular order.
    package func members(of conversation: UInt32) -> [DeviceID] {
        conversations.filter { $0.value.contains(conversation) }.map(\.key)
    }
}
