import Foundation
import MessagesHost
import ParleyValues
import Testing

/// The dice of `Tests/Vectors/chance.json`, which follow from the values of rolls.
@Suite struct DiceVectorTests {
    private struct File: Decodable {
        struct Row: Decodable {
            let value: String
            let sides: Int
            let dice: [Int]
        }
        let dice: [Row]
    }

    @Test func diceFollowFromTheValues() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Vectors/chance.json")
        let rows = try JSONDecoder().decode(File.self, from: Data(contentsOf: url)).dice
        #expect(rows.count > 3)
        let player = UUID()
        for row in rows {
            let digits = Array(row.value)
            let bytes = try stride(from: 0, to: digits.count, by: 2).map {
                try #require(UInt8(String(digits[$0..<$0 + 2]), radix: 16))
            }
            let call = Match.Roll(.open, number: 2, seats: [0])
            let detail = RollDetail(
                .open,
                number: 2,
                values: [0: Data(bytes)],
                missing: [],
                due: nil
            )
            let roll = try #require(ParleyRoll(call, detail, of: [player]))
            #expect(roll.dice(of: player, count: row.dice.count, sides: row.sides) == row.dice)
        }
    }

    @Test(arguments: [0, -1, 65_537, Int.max, Int.min])
    func noDieHasThatManySides(sides: Int) throws {
        let player = UUID()
        let value = Data(repeating: 255, count: 32)
        let call = Match.Roll(.open, number: 2, seats: [0])
        let detail = RollDetail(.open, number: 2, values: [0: value], missing: [], due: nil)
        let roll = try #require(ParleyRoll(call, detail, of: [player]))
        #expect(roll.dice(of: player, sides: sides) == nil)
    }
}
