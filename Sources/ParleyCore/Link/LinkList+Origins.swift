/// Keeps the origins that peers introduce.
extension LinkList {
    /// A peer introduces an origin.
    package mutating func originReceived(
        _ record: OriginRecord,
        of conversation: Int,
        on index: Int,
        in conversations: inout ConversationTable,
        using crypto: some Cryptography
    ) throws(Refusal) {
        guard let unused = try conversations[conversation].introduced(record, using: crypto) else {
            return
        }
        let number = conversations[conversation].number
        try self[index].introduces(
            IntroducedOrigin(conversation: number, id: unused.id),
            isUnused: conversations.isUnused
        )
        conversations[conversation].add(unused)
    }

    /// The origins that only the ended link introduced and of which no envelope is stored.
    package func unusedOrigins(
        introducedBy ended: Link,
        isUnused: (IntroducedOrigin) -> Bool
    ) -> [IntroducedOrigin] {
        let unused = ended.introduced.filter(isUnused)
        guard !unused.isEmpty else { return [] }
        let vouched = Set(flatMap { $0.introduced.map(\.id) })
        return unused.filter { !vouched.contains($0.id) }
    }
}
