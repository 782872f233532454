package import ParleyCore

extension Capability {
    /// The writer capability of the open conversation called `name`, which anybody can derive.
    ///
    /// Its seed is SHA-256 of "parley open 1" and the bytes of the name.
    package init(openConversation name: ConversationName) {
        self.init(writerSeed: SHA256.hash(Array("parley open 1".utf8) + name.utf8))
    }

    /// Whether this is a capability of the open conversation called `name`.
    package func isOpen(as name: ConversationName) -> Bool {
        publicWriteKey == Capability(openConversation: name).publicWriteKey
    }
}
