import ParleyCore
import ParleyKeys
import Testing

/// `Tests/Vectors/pairing.json`: the commitments and the digits of pairings.
@Suite struct PairingVectorTests {
    private let world = World()

    @Test func reproducesTheFile() throws {
        let computed = PairingVectors(world)
        let stored = try VectorFile<PairingVectors>(name: "pairing.json").read(writing: computed)
        #expect(stored == computed)
    }

    @Test func thePairingOfTwoNodesShowsTheDigits() throws {
        let vector = try #require(PairingVectors(world).pairings.first)
        var one = PairingExchange(of: world.devices[0].id)
        var other = PairingExchange(of: world.devices[1].id)
        let crypto = world.crypto(0)
        _ = one.agree(nonce: thirtyTwo(from: 0xa0), offer: .invite(Slice([1])), using: crypto)
        _ = other.agree(nonce: thirtyTwo(from: 0xc0), offer: .nothing, using: crypto)
        for frame in one.commitFrames {
            guard case .commit(let bytes, let offers) = frame else { continue }
            #expect(bytes.hex == vector.sides[0].commitment)
            _ = other.committed(bytes, offers: offers)
        }
        try other.revealed(thirtyTwo(from: 0xa0), by: world.devices[0].id, using: crypto)
        guard case .comparing(let digits, false) = other.state else {
            Issue.record("no digits")
            return
        }
        #expect(digits.description == vector.digits)
    }
}

/// The content of `Tests/Vectors/pairing.json`; all bytes as hexadecimal digits.
struct PairingVectors: Codable, Equatable {
    var pairings: [Pairing]

    struct Pairing: Codable, Equatable {
        var sides: [Side]
        var digitsInput: String
        var digitsHash: String
        var digits: String
    }

    struct Side: Codable, Equatable {
        var device: String
        var nonce: String
        var commitmentInput: String
        var commitment: String
    }

    init(_ world: World) {
        // The third one shows 000583.
        pairings = [(0xa0, 0xc0), (0xc0, 0xa0), (0x93, 0x01)].map { Pairing(world, $0, $1) }
    }
}

extension PairingVectors.Pairing {
    fileprivate init(_ world: World, _ first: UInt8, _ second: UInt8) {
        let crypto = world.crypto(0)
        let sides = [(world.devices[0].id, first), (world.devices[1].id, second)].map {
            (device: $0, nonce: thirtyTwo(from: $1))
        }
        self.sides = sides.map { side in
            let input = Array("parley pairing commit 1".utf8) + side.device.bytes + side.nonce.bytes
            return PairingVectors.Side(
                device: side.device.hex,
                nonce: side.nonce.hex,
                commitmentInput: Hexadecimal.text(input),
                commitment: PairingDigits.commitment(
                    of: side.device,
                    to: side.nonce,
                    using: crypto
                ).hex
            )
        }
        let sorted = sides.sorted { $0.device < $1.device }
        let input =
            Array("parley pairing digits 1".utf8) + sorted.flatMap(\.device.bytes)
            + sorted.flatMap(\.nonce.bytes)
        digitsInput = Hexadecimal.text(input)
        digitsHash = crypto.sha256(input).hex
        digits = PairingDigits(sides[0], sides[1], using: crypto).description
    }
}
