import Foundation
import ParleyCore
import ParleyKeys
import Testing

/// `Tests/Vectors/chance.json`: chains, and the rolls that follow from them.
@Suite struct ChanceVectorTests {
    private struct File: Decodable {
        struct Chain: Decodable {
            let participant: String
            let secret: String
            let anchors: String
            let reveals: [Reveal]
        }
        struct Reveal: Decodable {
            let open: Link
            let hidden: Link
        }
        struct Link: Decodable {
            let number: UInt64
            let link: String

            init(from decoder: any Decoder) throws {
                var items = try decoder.unkeyedContainer()
                number = try items.decode(UInt64.self)
                link = try items.decode(String.self)
            }
        }
        struct Roll: Decodable {
            let kind: String
            let number: UInt64
            let seats: [Int]
            let giving: [Int]
            let values: [String?]
        }
        let game: String
        let chains: [Chain]
        let rolls: [Roll]
    }

    private let crypto = World().crypto(0)
    private let file: File
    private let game: SessionUUID
    private let people: [ParticipantID]
    private let secrets: [Bytes32]

    init() throws {
        let url = Project.root.appendingPathComponent("Tests/Vectors/chance.json")
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
        self.file = file
        game = SessionUUID(try #require(Bytes16(try bytes(file.game))))
        people = try file.chains.map {
            ParticipantID(try #require(Bytes16(try bytes($0.participant))))
        }
        secrets = try file.chains.map { try #require(Bytes32(try bytes($0.secret))) }
    }

    private func steps(_ seat: Int) -> ChainSteps<DeviceCryptography> {
        ChainSteps(game, of: people[seat], using: crypto)
    }

    @Test func chainsFollowFromTheSecrets() throws {
        for (seat, row) in file.chains.enumerated() {
            let anchors = Array(steps(seat).own(0, 0, guest: secrets[seat]).anchors.bytes)
            #expect(Hexadecimal.text(anchors) == row.anchors)
            for reveal in row.reveals {
                let own = steps(seat)
                    .own(reveal.open.number, reveal.hidden.number, guest: secrets[seat])
                #expect(own.open.link.hex == reveal.open.link)
                #expect(own.hidden.link.hex == reveal.hidden.link)
            }
        }
    }

    @Test func rollsFollowFromTheChains() throws {
        #expect(file.rolls.count > 3)
        for row in file.rolls {
            let roll = MatchRoll(
                row.kind == "open" ? .open : .shown,
                number: row.number,
                seats: row.seats,
                giving: row.giving
            )
            var chains = GameChains()
            for seat in people.indices {
                chains.known[people[seat]] = steps(seat)
                    .own(row.number, row.number, guest: secrets[seat])
            }
            let table = RollTable(game: game, chains: chains, crypto: crypto)
            let view = table.view(of: roll, in: people, by: nil, guest: nil)
            #expect(view.missing.isEmpty)
            for seat in people.indices { #expect(view.values[seat]?.hex == row.values[seat]) }
        }
    }
}
