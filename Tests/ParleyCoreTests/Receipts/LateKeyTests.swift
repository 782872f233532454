import ParleyCore
import ParleyFaults
import Testing

/// A receipt counts also if its author learns later whose it is.
@Suite struct LateKeyTests {
    private static let reporter = SimulatedAuthor(
        crypto: SimulatedCryptography(seed: 3),
        table: SimulatedConversation(1)
    )

    /// A node that wrote one message, and its peer.
    private static func author() throws -> (puppet: Puppet, message: Dot) {
        var puppet = Puppet()
        puppet.meetAndSync()
        let body = MessageBody(
            session: SessionUUID(session: "s"),
            place: 0,
            sentAt: 0,
            url: "x",
            layout: .template(TemplateLayout(caption: "x"))
        )
        let id = RequestID(1)
        puppet.handle(.authored([AuthorRequest(request: id, conversation: 1, body: body)]))
        return (puppet, try #require(puppet.session?.heads.first?.dot))
    }

    /// A receipt of the reporter for a message of a puppet's node.
    private static func receipt(for message: Dot, of puppet: Puppet) throws -> Receipt {
        let crypto = reporter.crypto
        let record = reporter.table.record(number: 1, role: .writer, device: reporter.device)
        let conversation = Conversation(
            recovered: RecoveredConversation(record: record),
            device: reporter.device,
            epoch: reporter.epoch,
            limits: Limits(),
            using: crypto
        )
        let seal = try #require(
            ReceiptSeal(
                of: reporter.device,
                for: puppet.nodeDevice,
                otherKey: puppet.node.devicePublicKey,
                keys: conversation.keys,
                using: crypto
            )
        )
        let runs = [message.sequence...message.sequence]
        return seal.receipt(runs[...], of: message.origin, counter: 17, using: crypto)
    }

    /// Regression: a receipt that came before the first message of its device was tried again only
    /// after a change of keys.
    @Test func aReceiptMayComeBeforeTheOrigin() throws {
        var (puppet, message) = try Self.author()
        let receipt = try Self.receipt(for: message, of: puppet)
        puppet.send(
            .receipts(
                ReceiptsFrame(conversation: 0, origin: message.origin, receipts: [receipt])
            )
        )
        #expect(puppet.machine.author.receipts.count(of: message, in: 1) == 0)
        let author = Self.reporter
        let envelope = author.envelope(author.header("t", 1), session: "t", text: "x")
        puppet.send(author.originFrame)
        puppet.send(author.frame(envelope, position: 1))
        #expect(puppet.machine.author.receipts.count(of: message, in: 1) == 1)
    }
}
