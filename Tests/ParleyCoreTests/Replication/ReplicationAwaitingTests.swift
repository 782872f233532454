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
        let later = Moment.start + OutgoingFeed.announcementDelay
        #expect(replication.sent(from: sample) == [])
        #expect(replication.sent(from: sample, at: later).announced == [.watermark(position: 3)])
        _ = try replication.storedReceived(Stored(conversation: 0, position: 3))
        #expect(replication.storedByPeer == 3)
    }

    /// Regression: after a silence a feed stopped for ever, as no more could be announced to a peer
    /// that confirmed nothing, as all was of other devices.
    @Test func aPeerIsAskedToConfirmWhenNoMoreMayBeAnnounced() throws {
        var (sample, replication) = try live()
        let window = UInt64(OutgoingFeed.replayWindow)
        _ = try replication.storedReceived(Stored(conversation: 0, position: 1))
        sample.take(try (2...window + 2).map { try ada.writes("new \($0)", $0) })
        replication.resumed(latest: window + 2)
        let frames = replication.sent(from: sample)
        #expect(frames.announced.count == Int(window))
        #expect(frames.announced.filter(\.isAwaited).map(\.position) == [window + 1])
        _ = try replication.storedReceived(Stored(conversation: 0, position: window + 1))
        #expect(replication.sent(from: sample).announced.map(\.dot) == [ada.dot(window + 2)])
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
        let soon = Moment.start + OutgoingFeed.announcementDelay
        #expect(replication.sent(from: sample, at: soon).announced == [.watermark(position: 3)])
        #expect(!replication.mayHaveToSend(latest: 4, at: soon))
    }
}
