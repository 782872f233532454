import ParleyNode

/// The message of each session that a follower has received last, so that it never receives an
/// older one.
///
/// Events may be older than the transcript, because the follower listens before it reads the
/// transcript.
struct FollowedTranscript: Sendable {
    /// How a message compares with the last one that the follower has received of its session.
    enum Age: Equatable, Sendable {
        /// The follower has received a later message.
        case older
        /// The message is the last one that the follower has received, or a later one.
        case current
        /// The message is another one of the same revision, and only the node knows which of the
        /// two is shown.
        case rival
    }

    private var told: [SessionID: (revision: UInt64, id: MessageID)] = [:]

    /// Records that the follower receives `message`.
    mutating func tells(_ message: Message) {
        told[message.session] = (message.revision, message.id)
    }

    func age(of message: Message) -> Age {
        guard let told = told[message.session] else { return .current }
        if message.revision == told.revision { return message.id == told.id ? .current : .rival }
        return message.revision < told.revision ? .older : .current
    }
}
