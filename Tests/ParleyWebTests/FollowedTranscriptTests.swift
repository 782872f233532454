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
        var told = FollowedTranscript()
        let session = SessionID()
        let message = try message(session, 2, 1)
        #expect(told.age(of: message) == .current)
        told.tells(message)
        #expect(told.age(of: message) == .current)
        #expect(told.age(of: try self.message(session, 1, 2)) == .older)
        #expect(told.age(of: try self.message(session, 2, 3)) == .rival)
        #expect(told.age(of: try self.message(session, 3, 4)) == .current)
    }

    /// Of a session that is not remembered any more only the node knows what is shown.
    @Test func whatIsForgottenIsAskedFor() throws {
        var told = FollowedTranscript()
        let first = try message(SessionID(), 2, 1)
        told.tells(first)
        for number in 2...3 * FollowedTranscript.sessionsMax {
            told.tells(try message(SessionID(), 1, number))
        }
        #expect(told.count < 2 * FollowedTranscript.sessionsMax)
        #expect(told.age(of: first) == .rival)
        #expect(told.age(of: try message(SessionID(), 1, 1)) == .rival)
    }
}
