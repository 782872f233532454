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
    case sent(from: Int, to: Int, link: LinkID, bytes: Slice)
    /// Something was told to the programs and people above a node.
    case delivered(node: Int, Delivery)
    /// Somebody asks a node to join a conversation.
    case joined(node: Int, ConversationID, Role)
    /// Somebody asks a node to leave a conversation, of which it forgets everything.
    case left(node: Int, ConversationID)
    /// Somebody who is no node visits one, with the keys of conversations.
    case intruded(DeviceID, [ConversationID])
    /// Somebody with a writer's keys made an envelope that is signed and may be lies.
    case byzantineWrite(Slice, ConversationID)
    /// Somebody who is no node here made an envelope as an honest writer does.
    case wrote(Slice, ConversationID)
    /// A fault is about to begin, if it makes sense; those with a length end by themselves.
    case fault(Fault)
    /// All faults have ended, every node runs, and none begins any more.
    case quiescence
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

extension WorldEvent {
    /// Kinds of events, so that observers are told only what they look at.
    package struct Kinds: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Processes start and end.
        package static let processes = Kinds(rawValue: 1 << 0)
        /// A node is told that a link is open or closed.
        package static let links = Kinds(rawValue: 1 << 1)
        /// A node is told of bytes.
        package static let received = Kinds(rawValue: 1 << 2)
        /// A node is told that its bytes are on their way.
        package static let drained = Kinds(rawValue: 1 << 3)
        /// A node is told to write messages.
        package static let authored = Kinds(rawValue: 1 << 4)
        /// A node is told anything else.
        package static let otherInputs = Kinds(rawValue: 1 << 5)
        package static let answered = Kinds(rawValue: 1 << 6)
        package static let persisted = Kinds(rawValue: 1 << 7)
        package static let sent = Kinds(rawValue: 1 << 8)
        package static let delivered = Kinds(rawValue: 1 << 9)
        /// Conversations are joined and left.
        package static let membership = Kinds(rawValue: 1 << 10)
        /// Intruders come, and somebody lies.
        package static let intrusions = Kinds(rawValue: 1 << 11)
        package static let faults = Kinds(rawValue: 1 << 12)
        /// All is calm, and then everybody agrees.
        package static let ending = Kinds(rawValue: 1 << 13)

        static let count = 14

        package static let inputs: Kinds = [.links, .received, .drained, .authored, .otherInputs]
        package static let all = Kinds(rawValue: 1 << count - 1)
    }

    /// The one kind that the event is of.
    package var kind: Kinds {
        switch self {
        case .started, .ended: .processes
        case .input(_, .linkOpened), .input(_, .linkClosed): .links
        case .input(_, .received): .received
        case .input(_, .drained): .drained
        case .input(_, .authored): .authored
        case .input: .otherInputs
        case .answered: .answered
        case .persisted: .persisted
        case .sent: .sent
        case .delivered: .delivered
        case .joined, .left: .membership
        case .intruded, .byzantineWrite, .wrote: .intrusions
        case .fault: .faults
        case .quiescence, .converged: .ending
        }
    }
}
