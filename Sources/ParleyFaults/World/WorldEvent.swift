package import ParleyCore

/// Something that happens in a world, as observers see it.
package enum WorldEvent {
    /// A node's process starts; its machine is there and has not answered yet.
    case started(node: Int)
    /// A node's process ends; its disk is as it stays.
    case ended(node: Int, ProcessEnd)
    /// A node is about to be told something.
    case input(node: Int, NodeInput)
    /// What a machine answered, before any of it is carried out.
    case answered(node: Int, Effects)
    /// Writes are on a node's disk; it was not told yet.
    case persisted(node: Int, Persist)
    /// Bytes of one link are on their way.
    case sent(from: Int, to: Int, link: LinkID, bytes: [UInt8])
    /// Something was told to the programs and people above a node.
    case delivered(node: Int, Delivery)
    /// Somebody asks a node to join a conversation.
    case joined(node: Int, ConversationID, Role)
    /// Somebody asks a node to leave a conversation, of which it forgets everything.
    case left(node: Int, ConversationID)
    /// Somebody who is no node visits one, with the keys of conversations.
    case intruded(DeviceID, [ConversationID])
    /// Somebody with a writer's keys made an envelope that is signed and may be lies.
    case lied(Slice, ConversationID)
    /// A fault is about to begin, if it makes sense; those with a length end by themselves.
    case fault(Fault)
    /// All faults have ended, every node runs, and none begins any more.
    case calm
    /// After that everybody agrees or the time for it is up; nothing is asked of anybody any more.
    case converged
}

/// How a process ended.
package enum ProcessEnd: Sendable, Equatable {
    /// It said goodbye and everything was committed.
    case stopped
    /// Without a word; its kernel ends its connections.
    case crashed
    /// With its machine: nobody hears of it.
    case lostPower
}
