import ParleyCore
import ParleyKeys
import Testing

/// `Tests/Vectors/receipts.json`: the second device says what it has of the first one.
@Suite struct ReceiptVectorTests {
    @Test func reproducesTheFile() throws {
        let computed = try ReceiptVectors(World())
        let stored = try VectorFile<ReceiptVectors>(name: "receipts.json").read(writing: computed)
        #expect(stored == computed)
    }

    @Test func theAuthorReadsThem() throws {
        let world = World()
        let seal = try ReceiptVectors.seal(at: 0, world)
        let keys = ReceiptVectors.keys(of: 0, world)
        let crypto = world.crypto(0)
        for (receipt, runs) in try ReceiptVectors.receipts(world) {
            #expect(seal.opened(receipt, of: world.origin(0), using: crypto) == runs)
            let introduced = ReceiptSeal.introduced(
                by: receipt,
                to: world.origin(0),
                keys: keys,
                using: crypto
            )
            #expect(introduced == (runs == nil ? world.devices[1].publicKey : nil))
        }
    }

    /// A key with a part of order 8 cannot be converted.
    @Test func keysOfSmallOrderAgreeWithNobody() throws {
        let key = try #require(
            Bytes32(hex: "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
        )
        #expect(World().crypto(0).agree(withDevice: key) == nil)
    }
}

/// The content of `Tests/Vectors/receipts.json`; all bytes as hexadecimal digits.
struct ReceiptVectors: Codable, Equatable {
    var conversation: String
    var readKey: String
    var origin: String
    var author: String
    var device: String
    var shared: String
    var id: String
    var receipts: [Row]

    struct Row: Codable, Equatable {
        var counter: UInt64
        /// The runs, first and last; empty in an introduction.
        var runs: [[UInt64]]
        var packed: String
    }

    init(_ world: World) throws {
        conversation = world.conversation.hex
        readKey = (world.capability.readKey ?? .zero).hex
        origin = world.origin(0).hex
        author = world.devices[0].publicKey.hex
        device = world.devices[1].publicKey.hex
        shared =
            (world.crypto(1).agree(withDevice: world.devices[0].publicKey) ?? .zero).hex
        let name = try Self.seal(at: 1, world).id
        id = Bytes16(name, 0).hex.prefix(16).description
        receipts = try Self.receipts(world).map { receipt, runs in
            var packed = Bytes16(receipt.device, receipt.counter).bytes
            packed += receipt.sealed.bytes
            return Row(
                counter: receipt.counter,
                runs: (runs ?? []).map { [$0.lowerBound, $0.upperBound] },
                packed: Hexadecimal.text(packed)
            )
        }
    }

    static func keys(of device: Int, _ world: World) -> ConversationKeys {
        let record = ConversationRecord(
            number: 1,
            id: world.conversation,
            name: "chess",
            isOpen: false,
            capability: world.capability,
            certificate: nil
        )
        return Conversation(
            recovered: RecoveredConversation(record: record),
            device: world.devices[device].id,
            epoch: world.epochs[device],
            limits: Limits(),
            using: world.crypto(device)
        ).keys
    }

    /// The seal of the second device for the first, as one of both has it.
    static func seal(at device: Int, _ world: World) throws -> ReceiptSeal {
        try #require(
            ReceiptSeal(
                of: world.devices[1].id,
                for: world.devices[0].id,
                otherKey: world.devices[1 - device].publicKey,
                keys: keys(of: device, world),
                using: world.crypto(device)
            )
        )
    }

    /// An introduction, which has no runs, and two receipts.
    static func receipts(
        _ world: World
    ) throws -> [(receipt: Receipt, runs: [ClosedRange<UInt64>]?)] {
        let (seal, origin, crypto) = (try seal(at: 1, world), world.origin(0), world.crypto(1))
        let introduction = seal.introduction(
            of: world.devices[1].publicKey,
            to: origin,
            counter: 16,
            keys: keys(of: 1, world),
            using: crypto
        )
        let lists: [[ClosedRange<UInt64>]] = [
            [1...1], [2...9, 65_537...65_600, 65_602...65_602, (1 << 48) - 2...(1 << 48) - 1],
        ]
        return [(try #require(introduction), nil)]
            + lists.enumerated().map { index, runs in
                let counter = UInt64(17 + index)
                let made = seal.receipt(runs[...], of: origin, counter: counter, using: crypto)
                return (made, runs)
            }
    }
}
