import ParleyCore
import ParleyFaults
import Testing

/// When nodes on the way pass receipts on.
@Suite struct ReceiptRoundTests {
    private let table = SimulatedConversation(1)

    /// Beyond the limit, ways are forgotten on which nothing is to be sent.
    @Test func noReceiptIsLostAmongManyOrigins() {
        var puppet = Puppet()
        puppet.meetAndSync()
        let count = UInt64(Limits.receiptRoutes + 4)
        var bytes: [UInt8] = []
        for number in 1...count {
            // A device may have 1,024 origins.
            let device = SimulatedCryptography(seed: 10 + number % 8)
            var author = SimulatedAuthor(crypto: device, table: puppet.table)
            author.epoch = Epoch(number)
            let envelope = author.envelope(author.header("s\(number)", 1), session: "s", text: "x")
            author.originFrame.append(to: &bytes)
            author.frame(envelope, position: number).append(to: &bytes)
        }
        puppet.send(bytes: bytes)
        puppet.pass(.seconds(1))
        let origins = puppet.frames.compactMap { frame in
            if case .receipts(let receipts) = frame { receipts.origin } else { nil }
        }
        let reserved = puppet.writes.compactMap { write -> UInt64? in
            guard case .member(1, .receiptCounter, let record?) = write else { return nil }
            return record.bigEndian(at: 0)
        }
        // The numbers begin with that of the conversation. A block of them is reserved at a time,
        // and the next one in the step that uses one up.
        let block = 4_096
        #expect(Set(origins).count >= block)
        #expect(reserved == [1 << 32 | UInt64(block), 1 << 32 | UInt64(2 * block)])
    }

    /// The second receipt for a message waits for others, and those for the next one do not: they
    /// wait at most for a node on the way to hear of others.
    @Test(arguments: [false, true]) func aNewMessageIsReportedAtOnce(isSlow: Bool) {
        let world = World(nodes: 4)
        for (node, other) in [(0, 2), (0, 3), (1, 3)] { world.cut(node, other) }
        world.join(table, [0, 1, 2, 3])
        world.run(.seconds(5))
        world.stopCommitting(3)
        world.send("s", "x", by: 0, in: table)
        world.run(.seconds(1))
        world.resumeCommitting(3)
        world.run(.milliseconds(200))
        #expect(world.heard("s", by: 0, in: table) == 1)
        if isSlow { world.stopCommitting(3) }
        world.send("t", "x", by: 0, in: table)
        world.run(.seconds(1))
        #expect(world.heard("t", by: 0, in: table) == (isSlow ? 1 : 3))
        world.resumeCommitting(3)
        world.run(.seconds(20))
        #expect(world.heard("s", by: 0, in: table) == 3)
        #expect(world.heard("t", by: 0, in: table) == 3)
    }

    /// A relay reports nothing itself, and learns of a new message's round from others.
    @Test func aRelayPassesReceiptsOfEachMessageOnAtOnce() {
        let world = World(nodes: 3)
        world.cut(0, 2)
        world.join(table, [0, 2])
        world.join(table, [1], as: .relay)
        world.run(.seconds(5))
        for session in ["s", "t", "u"] {
            world.send(session, "x", by: 0, in: table)
            world.run(.milliseconds(700))
            #expect(world.heard(session, by: 0, in: table) == 1, "\(session)")
        }
        world.expectSound()
    }

    /// Regression: a receipt was lost with the link to the author that took it, and nothing sent it
    /// again through others before the author's next message.
    @Test(arguments: [false, true]) func whatALinkTookAlongIsSentAgain(isPassedOn: Bool) {
        let world = World(nodes: 4)
        let (author, other, way) = (0, 1, 2)
        // The last node is behind the one with the link that ends.
        world.cut(3, author)
        world.cut(3, other)
        world.join(table, [0, 1, 2, 3])
        world.run(.seconds(5))
        let late = isPassedOn ? 3 : way
        world.stopCommitting(late)
        world.send("s", "x", by: author, in: table)
        world.run(.seconds(1))
        world.cut(author, way)
        world.resumeCommitting(late)
        world.run(.seconds(1))
        #expect(world.heard("s", by: author, in: table) == 2)
        world.run(.seconds(40))
        #expect(world.heard("s", by: author, in: table) == 3)
        world.expectSound()
    }
    /// Who has the author's message on disk late: the node on the way, and those behind it.
    static let late: [[Int]] = [[1], [2], [1, 2], [2, 3]]

    /// Regression: while the link to the author was silent, receipts went back to where they had
    /// come from, or to nodes with no other way, and nothing sent them again when it answered.
    @Test(arguments: late) func aSilentLinkIsAWayAgain(late: [Int]) {
        let world = World(nodes: 4)
        let (author, way) = (0, 1)
        for node in 2...3 { world.cut(node, author) }
        world.cut(2, 3)
        world.join(table, [0, 1, 2, 3])
        world.run(.seconds(5))
        for node in late { world.stopCommitting(node) }
        world.send("s", "x", by: author, in: table)
        world.run(.seconds(1))
        world.cut(author, way)
        world.send("t", "x", by: late.contains(way) ? 3 : way, in: table)
        world.run(.seconds(3))
        for node in late { world.resumeCommitting(node) }
        world.run(.seconds(2))
        #expect(world.heard("s", by: author, in: table) == 3 - late.count)
        world.mend(author, way)
        world.run(.seconds(30))
        #expect(world.heard("s", by: author, in: table) == 3)
        world.expectSound()
    }

    /// Regression: a link was spare and ended before the message that had come on it was on disk,
    /// and nothing told its author.
    @Test func whatHasLostItsWayBeforeItWentIsSentEverywhere() {
        let world = World(nodes: 3)
        let (author, late) = (0, 2)
        world.join(table, [0, 1, 2])
        world.run(.seconds(5))
        world.stopCommitting(late)
        world.send("s", "x", by: author, in: table)
        world.run(.seconds(1))
        world.cut(author, late)
        world.run(.seconds(20))
        #expect(world.heard("s", by: author, in: table) == 1)
        world.resumeCommitting(late)
        world.run(.seconds(20))
        #expect(world.heard("s", by: author, in: table) == 2)
        world.expectSound()
    }
}
