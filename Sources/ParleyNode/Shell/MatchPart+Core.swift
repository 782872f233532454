package import Foundation
import ParleyCore

extension Match.Part {
    init(_ part: MatchPart) {
        self.init(
            to: part.to,
            by: part.by,
            key: Data(part.key.bytes),
            sealed: Data(part.sealed.bytes)
        )
    }

    /// The part in an envelope.
    ///
    /// - Throws: `badDraft` for a seat that is not there or bytes of a wrong length.
    func core(of seats: Int) throws(NodeError) -> MatchPart {
        guard (0..<seats).contains(to), (0..<seats).contains(by), let key = Bytes32(Array(key)),
            sealed.count <= Limits.partBytes
        else { throw .badDraft("a part has two seats of the game, and at most 2,048 bytes") }
        return MatchPart(to: to, by: by, key: key, sealed: Slice(Array(sealed)))
    }
}

extension Match.PartDraft {
    /// The part as the machine takes it, before it is sealed.
    ///
    /// - Throws: `tooLarge`.
    func core() throws(NodeError) -> AuthorRequest.Part {
        let limit = Limits.partBytes - SealNonce.overhead
        guard content.count <= limit else {
            throw .tooLarge(what: "the part", size: content.count, limit: limit)
        }
        return AuthorRequest.Part(Slice(Array(content)), to: to)
    }
}

extension MessageReader {
    /// The content of a part of a game; nil unless it is for the participant, or this device.
    package func opened(
        _ part: Match.Part,
        of match: Match,
        in session: SessionID,
        of conversation: String,
        for participant: UUID?
    ) throws(NodeError) -> Data? {
        let found = try readable(conversation)
        let own = participant.map { ParticipantID(Bytes16($0)) } ?? found.keys.ownParticipant
        let seats = match.seats.map { ParticipantID(Bytes16($0)) }
        return GameParts(in: found)
            .opened(
                try part.core(of: seats.count),
                of: session.core,
                in: seats,
                for: own,
                using: machine.crypto
            )
            .map { Data($0) }
    }
}
