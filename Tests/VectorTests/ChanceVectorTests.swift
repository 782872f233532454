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
            let seat: String
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
        struct Part: Decodable {
            let to: Int
            let by: Int
            let single: String
            let nonceHigh: UInt32
            let nonceLow: UInt64
            let content: String
            let key: String
            let sealed: String
        }
        let conversation: String
        let game: String
        let chains: [Chain]
        let rolls: [Roll]
        let parts: [Part]
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
            let content = Array(steps(seat).seat(guest: secrets[seat]).bytes)
            #expect(Hexadecimal.text(content) == row.seat)
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
    private func box(_ game: SessionUUID) throws -> PartBox<DeviceCryptography> {
        let id = try #require(Bytes32(try bytes(file.conversation)))
        return PartBox(conversation: id, game: game, using: crypto)
    }

    /// A part as the file has it, or sealed by somebody else with the same words.
    private func part(_ row: File.Part, by author: Int? = nil) throws -> MatchPart {
        let single = try #require(Bytes32(try bytes(row.single)))
        let content = try bytes(row.content)
        let secrets = partSecrets
        let box = try box(game)
        let sealed = box.sealed(
            content.span.bytes,
            for: crypto.agreementKey(of: secrets[row.to]),
            by: secrets[author ?? row.by],
            with: single,
            nonce: SealNonce(high: row.nonceHigh, low: row.nonceLow)
        )
        let (key, bytes) = try #require(sealed)
        return MatchPart(to: row.to, by: row.by, key: key, sealed: bytes)
    }

    private var partSecrets: [Bytes32] {
        people.indices.map { steps($0).partSecret(guest: secrets[$0]) }
    }

    @Test func partsFollowFromTheKeys() throws {
        #expect(file.parts.count > 2)
        for row in file.parts {
            let part = try part(row)
            #expect(part.key.hex == row.key)
            #expect(Hexadecimal.text(Array(part.sealed.bytes)) == row.sealed)
            let author = crypto.agreementKey(of: partSecrets[row.by])
            let opened = try box(game).opened(part, by: author, with: partSecrets[row.to])
            #expect(opened == (try bytes(row.content)))
        }
    }

    /// Copied into another game, said to be another's, read by another, forged by the seat beside.
    @Test func nothingElseOpens() throws {
        for row in file.parts {
            let (part, own) = (try part(row), partSecrets)
            let keys = own.map(crypto.agreementKey)
            let third = 3 - row.to - row.by
            let (here, there) = (try box(game), try box(SessionUUID(Bytes16(1, 2))))
            #expect(there.opened(part, by: keys[row.by], with: own[row.to]) == nil)
            #expect(here.opened(part, by: keys[third], with: own[row.to]) == nil)
            #expect(here.opened(part, by: keys[row.by], with: own[third]) == nil)
            let forged = try self.part(row, by: third)
            #expect(here.opened(forged, by: keys[row.by], with: own[row.to]) == nil)
            // A key of small order agrees with nobody.
            var weak = part
            weak.key = .zero
            #expect(here.opened(weak, by: keys[row.by], with: own[row.to]) == nil)
            #expect(here.opened(part, by: .zero, with: own[row.to]) == nil)
            let nonce = SealNonce(high: row.nonceHigh, low: row.nonceLow)
            let sealed = here.sealed(RawSpan(), for: .zero, by: own[0], with: own[1], nonce: nonce)
            #expect(sealed == nil)
        }
    }
}
