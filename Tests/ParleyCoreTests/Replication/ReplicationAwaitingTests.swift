import ParleyCore
import ParleyFaults
import Testing

/// A replication asks for the confirmations that it awaits.
@Suite struct ReplicationAwaitingTests: ReplicationSuite {
    /// Regression: a peer that had announced what was written here, got from others, was not
    /// counted.
    @Test func whatWasWrittenHereAndThePeerHasIsAwaited() throws {
        var (sample, replication) = try live()
        let mine = try (2...3).map { try own.writes("mine \($0)", $0) }
        sample.take(mine, from: nil)
        for envelope in mine {
            _ = try replication.announced(
                sample.entry(envelope),
                in: &sample.conversation,
                openLinks: [peer],
                at: .start
            )
        }
        let later = Moment.start + AnnouncementQueue.delay
        #expect(replication.sent(from: sample) == [])
        #expect(replication.sent(from: sample, at: later).announced == [.watermark(position: 3)])
        _ = try replication.storedReceived(Stored(conversation: 0, position: 3))
        #expect(replication.storedByPeer == 3)
    }

    /// Regression: after a silence a feed stopped for ever, as no more could be announced to a peer
    /// that confirmed nothing, as all was of other devices.
    @Test func announcementsWaitForCreditAlone() throws {
        var (sample, replication) = try live()
        _ = try replication.storedReceived(Stored(conversation: 0, position: 1))
        sample.take(try (2...700).map { try ada.writes("new \($0)", $0) })
        replication.resumed(latest: 700)
        var sender = Sender(sample: sample)
        sender.namesLeft = 600
        replication.pump(from: sample.conversation, into: &sender)
        #expect(sender.takeFrames().announced.count == 600)
        #expect(replication.awaitsNames)
        let rest = replication.sent(from: sample).announced
        #expect(rest.map(\.dot) == (602...700).map { ada.dot($0) })
        #expect(!replication.awaitsNames)
    }

    /// The heads of a session are announced as credit comes, each once, and the last one brings the
    /// position.
    @Test func headsOfASessionAreAnnouncedAsCreditComes() throws {
        var (sample, replication) = try live()
        let rivals = [ada, ben, SimulatedAuthor(writer: 4)]
        sample.take(try rivals.map { try $0.writes("many", 2) })
        replication.resumed(latest: 4)
        let announced = (0..<3).map { _ in
            var sender = Sender(sample: sample)
            sender.namesLeft = 1
            replication.pump(from: sample.conversation, into: &sender)
            return sender.takeFrames().announced
        }
        #expect(announced.map(\.count) == [1, 1, 1])
        #expect(Set(announced.joined().map(\.dot)) == Set(rivals.map { $0.dot(2) }))
        #expect(announced.joined().map(\.position) == [0, 0, 4])
    }

    /// Regression: the position of an envelope that was pushed without one waited with what is
    /// announced late.
    @Test func aWatermarkDoesNotWaitWithWhatIsAnnouncedLate() throws {
        var (sample, replication) = try live()
        replication.announces(after: .reserveFirst, at: .start)
        replication.prune(ada.origin)
        sample.take([try ada.writes("moves", 2)])
        sample.conversation.committed(Ticket(sample.ticket.value - 1))
        sample.take([try ben.writes("new"), try ada.writes("moves", 3, revision: 2)])
        let frames = replication.sent(from: sample)
        #expect(frames.pushed == [ben.dot(1)])
        #expect(frames.envelopes.map(\.position) == [0])
        sample.conversation.committed(sample.ticket)
        #expect(replication.mayHaveToSend(latest: 4, at: .start))
        #expect(replication.sent(from: sample) == [])
        let soon = Moment.start + AnnouncementQueue.delay
        #expect(replication.sent(from: sample, at: soon).announced == [.watermark(position: 3)])
        #expect(!replication.mayHaveToSend(latest: 4, at: soon))
    }
}
