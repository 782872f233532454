/// Messages that are about to be reported to their authors in one conversation.
///
/// A message is reported once it is on disk with its blobs. A session that changed twice within
/// `quiet` is reported only after so much quiet, and only its last message.
struct PendingReceipts: Sendable {
    private struct Message {
        let dot: Dot
        let blobs: [BlobReference]
        let ticket: Ticket
        let due: Moment
    }

    static let quiet = Interval.milliseconds(250)

    private var messages: [SessionTag: Message] = [:]
    /// When sessions changed last, for as long as that matters.
    private var changed: [SessionTag: Moment] = [:]
    /// The earliest moment at which a session may be quiet.
    private(set) var deadline: Moment?

    /// A message of another device was merged, and will be on disk with a commit.
    mutating func add(
        _ dot: Dot,
        in tag: SessionTag,
        blobs: [BlobReference],
        ticket: Ticket,
        at now: Moment
    ) {
        if changed.count >= Limits.receiptsPending {
            changed = changed.filter { now < $0.value + Self.quiet }
        }
        let isHot = changed[tag].map { now < $0 + Self.quiet } ?? false
        if isHot || changed.count < Limits.receiptsPending { changed[tag] = now }
        guard messages[tag] != nil || messages.count < Limits.receiptsPending else { return }
        let due = isHot ? now + Self.quiet : now
        messages[tag] = Message(dot: dot, blobs: blobs, ticket: ticket, due: due)
        if isHot { deadline = min(deadline ?? due, due) }
    }

    /// This device wrote in a session.
    mutating func replaced(in tag: SessionTag) { messages[tag] = nil }

    /// Takes the messages that are to be reported now, ascending.
    mutating func take(
        committed: Ticket,
        at now: Moment,
        isStored: (BlobID) -> Bool
    ) -> [Dot] {
        var taken: [Dot] = []
        deadline = nil
        for (tag, message) in messages {
            guard message.due <= now else {
                deadline = min(deadline ?? message.due, message.due)
                continue
            }
            guard message.ticket <= committed, message.blobs.allSatisfy({ isStored($0.id) }) else {
                continue
            }
            taken.append(message.dot)
            messages[tag] = nil
        }
        return taken.sorted()
    }
}
