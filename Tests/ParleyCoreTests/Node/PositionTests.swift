import ParleyCore
import ParleyFaults
import Testing

/// The feed positions that a peer gets.
@Suite struct PositionTests {
    private let table = SimulatedConversation(1)

    /// Regression: a session that had moved on in memory was stepped over by the positions of those
    /// behind it, and a crash put it back to where its peers had confirmed already.
    @Test func changesThatAreNotOnDiskAreNotSteppedOver() {
        var puppet = Puppet()
        let third = SimulatedCryptography(seed: 3)
        let author = SimulatedAuthor(crypto: third, table: table)
        puppet.meet(third, on: LinkID(2))
        puppet.begin(on: LinkID(2))
        puppet.send(author.originFrame, on: LinkID(2))
        for (number, session) in ["s", "t", "u", "t", "v"].enumerated() {
            // The second one of "t", and what follows, is not on disk when the peer comes.
            puppet.commits = number < 3
            let header = author.header(
                session,
                UInt64(number) + 1,
                revision: number == 3 ? 2 : 1
            )
            let envelope = author.envelope(header, session: session, text: "x")
            puppet.send(author.frame(envelope), on: LinkID(2))
        }
        puppet.meetAndSync()
        puppet.pass(.milliseconds(60))
        // "u" steps over "t" at 2; "t" itself has moved to 4.
        #expect(puppet.announced == [1, 3, 4, 5].map(author.dot))
        #expect(puppet.announcements.map(\.position) == [1, 0, 4, 5])
    }

    /// A peer that asks, with its envelope or with a watermark behind it, hears at once that its
    /// envelopes are stored, another one later, also if it wrote them.
    @Test(arguments: [nil] + Request.allCases, [true, false])
    func whoAsksIsAnsweredAtOnce(request: Request?, isOfPeer: Bool) {
        var puppet = Puppet()
        puppet.meetAndSync()
        let third = SimulatedCryptography(seed: 3)
        var author = SimulatedAuthor(crypto: isOfPeer ? puppet.peer : third, table: table)
        author.epoch = Epoch(3)
        puppet.send(author.originFrame)
        for number in UInt64(1)...2 {
            let header = author.header("s\(number)", number)
            let envelope = author.envelope(header, session: "s\(number)", text: "x")
            var frame = EnvelopeFrame(
                conversation: 0,
                hops: 0,
                position: number,
                envelope: envelope
            )
            frame.isAwaited = number == 2 && request == .withTheEnvelope
            puppet.send(.envelope(frame))
        }
        let watermark = HaveList(conversation: 0, entries: [.watermark(position: 2)])
        if request == .watermark { puppet.send(.have(watermark)) }
        #expect(puppet.storedPosition == (request == nil ? 1 : 2))
        puppet.pass(Confirmations.gathering)
        #expect(puppet.storedPosition == 2)
    }

    enum Request: CaseIterable { case withTheEnvelope, watermark }

    /// Regression: what was announced in such a gap has no position, and counted as nobody's lack,
    /// so that positions behind it were confirmed without it.
    @Test func whatIsAnnouncedWithoutPositionIsMissing() throws {
        var puppet = Puppet()
        puppet.meetAndSync()
        var author = SimulatedAuthor(crypto: puppet.peer, table: table)
        author.epoch = Epoch(3)
        puppet.send(author.originFrame)
        let announced = author.envelope(author.header("s", 1), session: "s", text: "x")
        let pushed = author.envelope(author.header("t", 2), session: "t", text: "y")
        let entry = try #require(author.entry(announced, position: 0))
        puppet.send(.have(HaveList(conversation: 0, entries: [entry])))
        puppet.send(author.frame(pushed, position: 9))
        #expect(puppet.storedPosition == nil)
        puppet.send(author.frame(announced, position: 0))
        #expect(puppet.storedPosition == 9)
    }
}
