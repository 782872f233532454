import ParleyNode

/// What a follower was told of each session, so that it is never told what was before.
///
/// Events may be older than the transcript that was read after listening began.
struct FollowedTranscript: Sendable {
    /// How a message compares with what was told of its session.
    enum Age: Equatable, Sendable {
        /// It was replaced by what was told.
        case older
        /// It is what was told, or came after it.
        case current
        /// It has the revision of what was told: which of the two stands, the node knows.
        case rival
    }

    private var told: [SessionID: (revision: UInt64, id: MessageID)] = [:]

    /// Notes what goes out.
    mutating func tells(_ message: Message) {
        told[message.session] = (message.revision, message.id)
    }

    func age(of message: Message) -> Age {
        guard let told = told[message.session] else { return .current }
        if message.revision == told.revision { return message.id == told.id ? .current : .rival }
        return message.revision < told.revision ? .older : .current
    }
}
