import ParleyCore
import ParleyFaults
import Testing

/// One member that makes more generations than anybody needs takes its own share, and no other.
@Suite struct GenerationLimitsTests {
    private typealias Parent = (id: GenerationID, seed: Bytes32, number: UInt32)
    private typealias Made = (record: GenerationRecord, boxes: KeyBoxes?)

    /// A conversation of Ada, its creator, and of Ben and Xan, whom she let in, in this order.
    private let ada: GenerationForge
    private let ben: GenerationForge
    private let xan: GenerationForge
    private let table: SimulatedConversation

    init() {
        let crypto = SimulatedCryptography(seed: 1)
        table = SimulatedConversation(1, creator: crypto.devicePublicKey)
        ada = GenerationForge(crypto, table)
        xan = ada.admitting(SimulatedCryptography(seed: 3), number: 1)
        ben = ada.admitting(SimulatedCryptography(seed: 2), number: 2)
    }

    private var all: [DeviceID] { [ada.device, ben.device, xan.device] }

    private var birth: Parent { (GenerationID(birthOf: table.id), ada.birthSeed, 1) }

    private var empty: Generations {
        Generations(
            conversation: table.id,
            root: table.capability(.writer),
            creator: ada.crypto.devicePublicKey,
            using: ada.crypto
        )
    }

    private func parent(_ made: Made, _ seed: Bytes32) -> Parent {
        let statement = made.record.statement
        return (statement.id(using: ada.crypto), seed, statement.number)
    }

    /// Generations with each of these records, settled after each, as each came in its own frame.
    private func known(_ records: [Made], in start: Generations? = nil) throws -> Generations {
        var generations = start ?? empty
        for (record, boxes) in records {
            _ = try generations.add(record, boxes, using: ada.crypto)
            generations.settle(using: ada.crypto)
        }
        return generations
    }

    /// Many siblings by devices that Xan invents, and by itself.
    private func flood(
        behind parent: Parent,
        _ count: UInt64,
        byInvented: Bool = false
    ) -> [Made] {
        (0..<count).map { number in
            let invented = SimulatedCryptography(seed: 1_000 + number)
            let isInvented = byInvented || number % 3 == 0
            let author = isInvented ? xan.admitting(invented, number: 1) : xan
            let seed = Bytes32(7, number, 0, 0)
            return author.record(behind: parent, seed: seed, stays: [xan.device])
        }
    }

    /// Hostile case 7: before, 64 siblings of a higher one pushed a generation off the line, with
    /// the creator's own behind it, which had thrown that one out.
    @Test func siblingsDoNotPushTheLineOut() throws {
        let first = ben.record(behind: birth, seed: Bytes32(1, 1, 0, 0), stays: all)
        let removal = ada.record(
            behind: parent(first, Bytes32(1, 1, 0, 0)),
            seed: Bytes32(1, 2, 0, 0),
            stays: [ada.device, ben.device]
        )
        let before = try known([first, removal])
        let after = try known(flood(behind: birth, 1_000), in: before)

        #expect(before.line.count == 2)
        #expect(after.line == before.line, "the line does not move")
    }

    /// Regression: records that found no place were remembered for the opening of their boxes.
    @Test func boxesOfRecordsWithoutAPlaceAreForgotten() throws {
        let after = try known(flood(behind: birth, 1_000))
        #expect(after.generations.count < 500)
        #expect(after.unopened.count <= after.generations.count)
    }

    /// Hostile case 7: before, nobody changed keys once one member had made 4,096 generations.
    @Test func othersStillChangeKeys() throws {
        var generations = try known([])
        var place = birth
        // A line of its own, with siblings beside it.
        for number in 0..<UInt64(1_300) {
            let seed = Bytes32(2, number, 0, 0)
            let made = xan.record(behind: place, seed: seed, stays: all)
            guard try generations.add(made.record, made.boxes, using: ada.crypto) != nil else {
                break
            }
            for sibling in flood(behind: place, 3, byInvented: true) {
                _ = try generations.add(sibling.record, sibling.boxes, using: ada.crypto)
            }
            if number.isMultiple(of: 64) { generations.settle(using: ada.crypto) }
            place = parent(made, seed)
        }
        generations.settle(using: ada.crypto)
        #expect(generations.line.count <= Limits.generations / 4)
        #expect(generations.generations.count < Limits.generations / 2)

        let mine = ben.record(behind: place, seed: Bytes32(3, 0, 0, 0), stays: all)
        generations = try known([mine], in: generations)
        #expect(generations.current == mine.record.statement.id(using: ada.crypto))
    }

    /// Whatever the order, the same records stay; those of others do, too.
    @Test(arguments: 0..<UInt64(6)) func theOrderOfArrivalDoesNotMatter(seed: UInt64) throws {
        let lost = ben.record(behind: birth, seed: Bytes32(4, 0, 0, 0), stays: all)
        let line = ada.record(behind: birth, seed: Bytes32(4, 1, 0, 0), stays: all)
        let records = flood(behind: birth, 600) + [lost, line]
        var random = SeededRandom(seed: seed)
        let one = try known(records)
        let other = try known(records.shuffled(using: &random))

        #expect(one.sum == other.sum && one.line == other.line)
        #expect(one.generations.keys.contains(lost.record.statement.id(using: ada.crypto)))
        #expect(one.generations.count <= 2 + Limits.generationsBeside / 4)
        let boxes = one.generations.values.filter { $0.boxes != nil }
        #expect(boxes.count <= 2 + Limits.boxesBeside / 4)
    }

    @Test func theCreatorHasTheWholeLimit() throws {
        var generations = empty
        for number in 0..<UInt64(Limits.generationsBeside + 9) {
            let seed = Bytes32(8, number, 0, 0)
            let made = ada.record(behind: birth, seed: seed, stays: [ada.device])
            _ = try generations.add(made.record, made.boxes, using: ada.crypto)
        }
        generations.settle(using: ada.crypto)
        let boxes = generations.generations.values.filter { $0.boxes != nil }
        #expect(generations.line.count == 1)
        #expect(generations.generations.count == 1 + Limits.generationsBeside)
        #expect(boxes.count == 1 + Limits.boxesBeside)
    }

    @Test func boxesForMoreThanStayAreNone() throws {
        let made = ada.record(behind: birth, seed: Bytes32(5, 0, 0, 0), stays: all)
        let other = ada.record(behind: birth, seed: Bytes32(5, 0, 0, 0), stays: all + all)
        let packed = try #require(other.boxes).packed
        #expect(packed.count == 32 + 49 * 6)
        let generations = try known([(made.record, other.boxes)])
        #expect(generations.generations.values.allSatisfy { $0.boxes == nil })
    }
}
