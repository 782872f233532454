package import ParleyCore

/// An event of a world, as observers see it.
package enum WorldEvent {
    /// A process started; the effects of its machine's start are not carried out yet.
    case started(node: Int)
    /// A process ended; its disk has its final state.
    case ended(node: Int, ProcessEnd)
    /// A node is about to receive an input.
    case input(node: Int, NodeInput)
    /// A machine returned effects; none of them is carried out yet.
    case answered(node: Int, Effects)
    /// Writes are on a node's disk; the node has not been told yet.
    case persisted(node: Int, Persist)
    /// A node sent bytes on a link.
    case sent(from: Int, to: Int, link: LinkID, bytes: Slice)
    /// A node delivered something to the programs and people above it.
    case delivered(node: Int, Delivery)
    /// A node is asked to join a conversation.
    case joined(node: Int, ConversationID, Capability.Role)
    /// A node is asked to leave a conversation and forgets everything about it.
    case left(node: Int, ConversationID)
    /// An intruder with the keys of these conversations connects.
    case intruded(DeviceID, [ConversationID])
    /// A Byzantine writer made an envelope with a valid signature.
    case byzantineWrite(Slice, ConversationID)
    /// An intruder made an envelope as an honest writer does.
    case wrote(Slice, ConversationID)
    /// A fault is about to begin, if it is possible.
    case fault(Fault)
    /// All faults have ended and every node runs; no further fault begins.
    case quiescence
    /// The time for convergence is over; no further request is made.
    case converged
}

/// How a process ended.
package enum ProcessEnd: Sendable, Equatable {
    /// It said goodbye, and all its writes were committed.
    case stopped
    /// It crashed; the kernel closes its connections.
    case crashed
    /// Its machine lost power: no peer is told.
    case lostPower
}

extension WorldEvent {
    /// Kinds of events, of which observers select some.
    package struct Kinds: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Starts and ends of processes.
        package static let processes = Kinds(rawValue: 1 << 0)
        /// Inputs: a link opened or closed.
        package static let links = Kinds(rawValue: 1 << 1)
        /// Inputs: bytes arrived.
        package static let received = Kinds(rawValue: 1 << 2)
        /// Inputs: the kernel took the bytes of a link.
        package static let drained = Kinds(rawValue: 1 << 3)
        /// Inputs: requests to write messages.
        package static let authored = Kinds(rawValue: 1 << 4)
        /// All other inputs.
        package static let otherInputs = Kinds(rawValue: 1 << 5)
        package static let answered = Kinds(rawValue: 1 << 6)
        package static let persisted = Kinds(rawValue: 1 << 7)
        package static let sent = Kinds(rawValue: 1 << 8)
        package static let delivered = Kinds(rawValue: 1 << 9)
        /// Conversations joined and left.
        package static let membership = Kinds(rawValue: 1 << 10)
        /// Intrusions and envelopes of Byzantine writers.
        package static let intrusions = Kinds(rawValue: 1 << 11)
        package static let faults = Kinds(rawValue: 1 << 12)
        /// Quiescence, and the end of the time for convergence.
        package static let ending = Kinds(rawValue: 1 << 13)

        static let count = 14

        package static let inputs: Kinds = [.links, .received, .drained, .authored, .otherInputs]
        package static let all = Kinds(rawValue: 1 << count - 1)
    }

    /// The kind of the event, which is always a single one.
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
