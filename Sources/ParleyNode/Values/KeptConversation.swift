package import Foundation

/// A conversation and what this node keeps of it.
package struct KeptConversation: Sendable {
    package let conversation: Conversation
    package let sessions: Int
    /// Bytes of the present messages and of the pictures that they list.
    package let bytes: Int
    /// When something of it was stored here last; nil if that is not known.
    package let lastActivity: Date?
}
