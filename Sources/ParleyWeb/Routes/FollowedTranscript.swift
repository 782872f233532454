package import ParleyNode

/// The last message of each session that a follower has received, so that no older message follows.
///
/// Events may be older than the transcript, because the follower listens before it reads the
/// transcript.
package struct FollowedTranscript: Sendable {
    /// How a message compares with the follower's last message of the session.
    package enum Age: Equatable, Sendable {
        /// The follower has received a later message.
        case older
        /// The message is the follower's last message, or a later one.
        case current
        /// The message is a rival with the same revision, or the session is not remembered any
        /// more: only the node knows the shown message.
        case rival
    }

    private var sent: [SessionID: (revision: UInt64, id: MessageID, use: UInt64)] = [:]
    private var lastUse: UInt64 = 0
    private var hasForgotten = false

    /// The sessions that are remembered; as many again may be there until they are looked through.
    package static let sessionsMax = 16_384

    /// The sessions that are remembered now.
    package var count: Int { sent.count }

    package init() {}

    /// Records that the follower receives `message`.
    package mutating func insert(_ message: Message) {
        lastUse += 1
        sent[message.session] = (message.revision, message.id, lastUse)
        guard sent.count >= 2 * Self.sessionsMax else { return }
        let uses = sent.values.map(\.use).sorted()
        let first = uses[uses.count - Self.sessionsMax]
        sent = sent.filter { $0.value.use >= first }
        hasForgotten = true
    }

    package func age(of message: Message) -> Age {
        guard let sent = sent[message.session] else { return hasForgotten ? .rival : .current }
        if message.revision == sent.revision { return message.id == sent.id ? .current : .rival }
        return message.revision < sent.revision ? .older : .current
    }
}
