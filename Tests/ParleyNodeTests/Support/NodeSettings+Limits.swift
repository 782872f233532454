import ParleyCore
import ParleyNode

extension NodeSettings {
    /// How many conversations the node takes part in at most.
    var conversationsMax: Int {
        get { limits.conversations }
        set { limits.conversations = newValue }
    }

    /// How many links to members the node has at most.
    var linksMax: Int {
        get { limits.links }
        set { limits.links = newValue }
    }

    /// How many sessions one device may begin in a conversation.
    var sessionsMax: Int {
        get { limits.sessionsPerOrigin }
        set { limits.sessionsPerOrigin = newValue }
    }
}
