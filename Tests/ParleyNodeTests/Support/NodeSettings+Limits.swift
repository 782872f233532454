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

    /// How many heads one device may have in a conversation.
    var headsMax: Int {
        get { limits.quota.device.heads }
        set { limits.quota.device.heads = newValue }
    }
}
