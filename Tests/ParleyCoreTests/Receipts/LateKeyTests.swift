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

    /// A receipt of the reporter for a message of a puppet's node, and its introduction.
    private static func receipts(
        for message: Dot,
        of puppet: Puppet
    ) throws -> (receipt: Receipt, introduction: Receipt) {
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
        let introduction = seal.introduction(
            of: crypto.devicePublicKey,
            to: message.origin,
            counter: 16,
            keys: conversation.keys,
            using: crypto
        )
        return (
            seal.receipt(runs[...], of: message.origin, counter: 17, using: crypto),
            try #require(introduction)
        )
    }

    /// Regression: a receipt that came before the first message of its device, or its introduction,
    /// was tried again only after a change of keys.
    @Test(arguments: [false, true]) func aReceiptMayComeFirst(isIntroduced: Bool) throws {
        var (puppet, message) = try Self.author()
        let (receipt, introduction) = try Self.receipts(for: message, of: puppet)
        func frame(_ receipts: [Receipt]) -> Frame {
            .receipts(ReceiptsFrame(conversation: 0, origin: message.origin, receipts: receipts))
        }
        puppet.send(frame([receipt]))
        #expect(puppet.machine.author.receipts.count(of: message, in: 1) == 0)
        if isIntroduced {
            puppet.send(frame([introduction]))
        } else {
            let author = Self.reporter
            let envelope = author.envelope(author.header("t", 1), session: "t", text: "x")
            puppet.send(author.originFrame)
            puppet.send(author.frame(envelope, position: 1))
        }
        #expect(puppet.machine.author.receipts.count(of: message, in: 1) == 1)
    }

    /// Introductions take no place among the receipts that wait.
    @Test func introductionsAreNotKept() throws {
        var (puppet, message) = try Self.author()
        let (receipt, introduction) = try Self.receipts(for: message, of: puppet)
        let repeated = [receipt] + Array(repeating: introduction, count: Limits.receiptsUnopened)
        var rest = repeated[...]
        while !rest.isEmpty {
            puppet.send(
                .receipts(
                    ReceiptsFrame(
                        conversation: 0,
                        origin: message.origin,
                        receipts: Array(rest.prefix(Limits.receipts))
                    )
                )
            )
            rest = rest.dropFirst(Limits.receipts)
        }
        #expect(puppet.machine.author.receipts.count(of: message, in: 1) == 1)
    }
}
