package import ParleyCore
import ParleyKeys

extension Shortage {
    /// The obstacle in the conversation that this node calls `name`, and the remedy.
    package func sentence(in name: String) -> String {
        let name = name.printable
        var remedy = "begin a new conversation with the people you know, or leave this one"
        let subject =
            switch self {
            case .conversation: "\(name) has as many messages as a node keeps of one conversation"
            case .openConversations:
                "\(name) and all other open conversations have as many messages as a node keeps"
            case .allConversations:
                "all conversations together have as many messages as "
                    + "quotas.all-conversations admits"
            case .device(let device):
                "\(device.shortText) has as many messages in \(name) as one device may have there"
            case .origins: "as many devices have written in \(name) as a node keeps"
            }
        if self == .allConversations {
            remedy = "leave a conversation, or raise that quota and start the node again"
        }
        return subject
            + ": others wait at other nodes, and sessions that are here go on; \(remedy)"
    }
}
