/// A report of a node to the programs and people above it.
package enum Delivery: Sendable {
    /// The answer to a request.
    case answer(RequestID, AuthorAnswer)
    /// More linked peers have the answered message, or a replacement, on disk.
    case linked(RequestID, nodes: Int)
    /// More devices of readers and writers have the answered message, or a replacement, on disk.
    case delivered(RequestID, nodes: Int)
    /// Another message of a session is shown; it is on disk.
    case shown(ShownMessage)
    /// The heads of a session in conflict changed, or the conflict was settled.
    case conflict(SessionConflict)
    /// A participant replaced a message that named only others as next.
    case outOfTurn(conversation: UInt32, tag: SessionTag, Dot, by: ParticipantID)
    /// Two envelopes have this dot.
    case equivocation(conversation: UInt32, tag: SessionTag, Dot)
    /// An envelope was left out for lack of quota; reported once until there is capacity again.
    case full(conversation: UInt32, Shortage)
    /// The lowest head of a session was dropped, because there were too many.
    case headDropped(conversation: UInt32, tag: SessionTag, Dot)
    /// A picture that a head lists is complete on disk.
    case blobArrived(conversation: UInt32, BlobID)
    /// Chunks of a complete picture are damaged on disk: they are fetched again from members.
    case blobDamaged(conversation: UInt32, BlobID, chunks: Int)
    /// What a participant does at this moment.
    case signal(SignalNotice)
    case link(LinkNotice)
    case pairing(PairingNotice)
    /// A device shares a conversation, or has taken one that was shared with it.
    case shared(PairingFrame, by: DeviceID)
    /// A knock at the door of another node has ended.
    case knocked(KnockNotice)
    /// A device was let in by an invite that ends.
    case letIn(conversation: UInt32, DeviceID, invite: UInt32)
    /// The admissions of some more members of a conversation are known.
    case admissions(conversation: UInt32)
    /// The answer to a request to change keys, which is on disk: the devices that stay.
    case rotated(RequestID, Result<Int, RotationRefusal>)
    /// Somebody changed the keys of a conversation.
    indirect case generation(GenerationNotice)
    /// A peer broke the protocol.
    case refused(link: LinkID, device: DeviceID, address: String, Refusal)
    /// Another process uses this device's key.
    case duplicateIdentity(device: DeviceID, address: String)
    /// The stores of this node and a peer differ with nothing in flight between them.
    case divergence(conversation: UInt32, device: DeviceID, buckets: Int)
    /// A stored session could not be read and was left out.
    case damaged(row: Int64, String)
}

extension Delivery {
    /// Whether the report is about the sessions of a conversation.
    func isNews(of conversation: UInt32) -> Bool {
        switch self {
        case .shown(let shown): shown.conversation == conversation
        case .conflict(let conflict): conflict.conversation == conversation
        case .outOfTurn(let number, _, _, _), .equivocation(let number, _, _),
            .headDropped(let number, _, _), .full(let number, _), .blobArrived(let number, _),
            .blobDamaged(let number, _, _), .divergence(let number, _, _),
            .letIn(let number, _, _), .admissions(let number):
            number == conversation
        case .generation(let notice): notice.conversation == conversation
        case .answer, .rotated, .linked, .delivered, .signal, .link, .pairing, .shared, .knocked,
            .refused, .duplicateIdentity, .damaged:
            false
        }
    }
}

/// The message of a session that everybody sees.
package struct ShownMessage: Sendable, Equatable {
    package let conversation: UInt32
    package let tag: SessionTag
    package let dot: Dot
}

/// The heads of a session that is in conflict, the shown one first.
package struct SessionConflict: Sendable, Equatable {
    package let conversation: UInt32
    package let tag: SessionTag
    /// The heads in descending order; a single one says that the conflict was settled.
    package let heads: [Dot]
}

/// The answer to a request to author a message.
package enum AuthorAnswer: Sendable, Equatable {
    /// The message is on this node's disk.
    case stored(AuthoredMessage)
    /// The request names other heads than the present ones.
    case stale([Dot])
    /// The message that would be replaced names others as next.
    case notYourTurn([ParticipantID])
    /// The message is against the rules of its turn game.
    case notPlayable(MatchFault)
    /// The message or a part of it is too large: the size and the limit.
    case tooLarge(bytes: Int, limit: Int)
    case storeFull
    /// The quota `limit` is used up.
    case conversationFull(Shortage, limit: KeptAmount)
    /// A limit of the session is reached.
    case sessionFull
    /// The keys of the conversation on this node do not allow writing.
    case readOnly
    /// The keys were changed, and this node has no current ones.
    case notMember(Generations.Standing)
    case unknownConversation
    /// The guest has no seat here, or no longer.
    case unknownGuest
    /// A part of the message is not valid.
    case malformed(String)
}

/// A message that was authored here.
package struct AuthoredMessage: Sendable, Equatable {
    package let session: SessionUUID
    package let dot: Dot
    package let revision: UInt64
}

/// A change of a link, for logs and counters.
package struct LinkNotice: Sendable, Equatable {
    package enum Change: Sendable, Equatable {
        /// Hellos were exchanged.
        case greeted(software: String, name: String)
        /// A conversation is shared.
        case joined(conversation: UInt32)
        /// Nothing was heard for a second although an answer was due.
        case suspected
        /// Whether the peer has too little capacity for new sessions of a conversation.
        case full(conversation: UInt32, Bool)
        case closed(CloseCause)
    }

    package let link: LinkID
    package let device: DeviceID
    package let address: String
    package let change: Change
}
