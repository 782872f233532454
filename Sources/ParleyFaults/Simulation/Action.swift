package import ParleyCore

/// An action of the workload or a fault, at a time from the start of the run.
///
/// All actions of a run are drawn beforehand, so that a failing list can be shortened.
package struct ScheduledAction: Sendable, Equatable {
    package var time: Interval
    package var action: Action

    package init(_ time: Interval, _ action: Action) {
        self.time = time
        self.action = action
    }
}

/// An action; the world skips an action that is impossible at its time.
package enum Action: Sendable, Equatable {
    case fault(Fault)
    /// A node joins the conversation of this number.
    case join(node: Int, conversation: Int, Capability.Role)
    case leave(node: Int, conversation: Int)
    /// A node sends a batch of messages under one signature.
    case send(node: Int, conversation: Int, [Utterance])
    /// A Byzantine writer breaks the rules.
    case byzantine(node: Int, conversation: Int, ByzantineAct)
    /// A node is told the address of another node.
    case introduce(node: Int, to: Int)
    /// An intruder connects to a node.
    case intrude(Intrusion)
    /// An intruder opens connections to a node from a few addresses, and sends nothing.
    case holdIdle(node: Int, connections: Int)
}

/// A message of the workload.
package struct Utterance: Sendable, Equatable {
    /// The heads that a message names as replaced.
    package enum Replacing: Sendable, Equatable {
        /// All heads of the session.
        case heads
        /// No head: the message starts a session, or is refused as stale.
        case nothing
    }

    /// The number of the session in its conversation.
    package var session: Int
    package var text: String
    package var replacing = Replacing.heads
    /// The nodes that may answer; empty for all.
    package var next: [Int] = []
    package var isTombstone = false
    /// The size of the picture in bytes; 0 for none.
    package var pictureBytes = 0
    package var summary: String?

    package init(session: Int, text: String) {
        self.session = session
        self.text = text
    }
}

extension World {
    /// Performs an action.
    package func perform(_ action: Action) {
        switch action {
        case .fault(let fault): strike(fault)
        case .byzantine(let node, let number, let act):
            guard nodes.indices.contains(node) else { return }
            perform(act, by: node, conversation: number)
        case .join(let node, let number, let role):
            let isOpen = number <= settings.openConversations
            let conversation = SimulatedConversation(UInt64(number), isOpen: isOpen)
            guard isMachine(node), self.number(of: conversation, at: node) == nil else { return }
            join(conversation, [node], as: role)
        case .leave(let node, let number):
            guard isMachine(node) else { return }
            leave(SimulatedConversation(UInt64(number)), node)
        case .send(let node, let number, let utterances):
            let conversation = SimulatedConversation(UInt64(number))
            guard isMachine(node),
                self.number(of: conversation, at: node) != nil
            else { return }
            send(utterances.map { draft($0, conversation) }, by: node, in: conversation)
        case .intrude(let intrusion): intrude(intrusion)
        case .holdIdle(let node, let count):
            guard isRunning(node), !nodes[node].isPaused else { return }
            openIdleConnections(count, to: node)
        case .introduce(let node, let other):
            guard nodes.indices.contains(node), nodes.indices.contains(other) else { return }
            introduce(node, to: other)
        }
    }

    private func isMachine(_ node: Int) -> Bool {
        nodes.indices.contains(node) && nodes[node].machine != nil && !nodes[node].isPaused
    }

    private func draft(_ utterance: Utterance, _ conversation: SimulatedConversation) -> Draft {
        var draft = Draft(session: "s\(utterance.session)", text: utterance.text)
        draft.next = utterance.next.filter { nodes.indices.contains($0) }
            .map { participant($0, in: conversation) }
        if utterance.replacing == .nothing { draft.replacing = [] }
        draft.isTombstone = utterance.isTombstone
        draft.summary = utterance.summary
        if utterance.pictureBytes > 0 {
            var bytes = SeededRandom(seed: UInt64(utterance.pictureBytes))
            let picture = Slice(bytes.bytes(utterance.pictureBytes))
            draft.picture = InlinePicture(type: "image/png", bytes: picture)
        }
        return draft
    }
}
