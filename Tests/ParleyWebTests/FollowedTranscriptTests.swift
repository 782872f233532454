import Foundation
import ParleyNode
import ParleyWeb
import Testing

/// The entries that a follower has received, of which only the last are remembered.
@Suite struct FollowedTranscriptTests {
    private func message(_ session: SessionID, _ revision: UInt64, _ number: Int) throws -> Message
    {
        Message(
            session: session,
            id: try #require(MessageID(String(repeating: "a", count: 32) + "-\(number)")),
            revision: revision,
            sender: Participant(id: UUID(), device: "BEN", name: nil),
            sentAt: Date(timeIntervalSince1970: 1),
            content: nil
        )
    }

    @Test func aMessageIsComparedWithTheLastOneOfItsSession() throws {
        var sent = FollowedTranscript()
        let session = SessionID()
        let message = try message(session, 2, 1)
        #expect(sent.age(of: message) == .current)
        sent.insert(message)
        #expect(sent.age(of: message) == .current)
        #expect(sent.age(of: try self.message(session, 1, 2)) == .older)
        #expect(sent.age(of: try self.message(session, 2, 3)) == .rival)
        #expect(sent.age(of: try self.message(session, 3, 4)) == .current)
    }

    /// Of a session that is not remembered any more only the node knows what is shown.
    @Test func whatIsForgottenIsAskedFor() throws {
        var sent = FollowedTranscript()
        let first = try message(SessionID(), 2, 1)
        sent.insert(first)
        for number in 2...3 * FollowedTranscript.sessionsMax {
            sent.insert(try message(SessionID(), 1, number))
        }
        #expect(sent.count < 2 * FollowedTranscript.sessionsMax)
        #expect(sent.age(of: first) == .rival)
        #expect(sent.age(of: try message(SessionID(), 1, 1)) == .rival)
    }
}
