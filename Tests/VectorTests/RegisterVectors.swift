import ParleyCore
import ParleyKeys

/// The content of `Tests/Vectors/register.json`: histories of one session, and the heads that they
/// end in.
struct RegisterVectors: Codable, Equatable {
    var histories: [History]

    struct History: Codable, Equatable {
        var name: String
        var tag: String
        /// In the order in which they are merged.
        var envelopes: [Entry]
        /// Whether they give the same heads in every order.
        var isOrderFree: Bool
        /// The names of the heads, the shown one first.
        var heads: [String]
    }

    struct Entry: Codable, Equatable {
        var name: String
        var origin: String
        var sequence: UInt64
        var revision: UInt64
        var context: [ContextDot]
        var tieBreak: String
        var digest: String
    }

    struct ContextDot: Codable, Equatable {
        var origin: String
        var sequence: UInt64
    }

    init(_ world: World) throws {
        histories = try SampleHistory.all.map { history in
            let entries = try history.writes.map { try Entry($0, world) }
            let register = try Self.merge(entries)
            return History(
                name: history.name,
                tag: world.tag(world.sessions[0]).hex,
                envelopes: entries,
                isOrderFree: history.isOrderFree,
                heads: try register.heads.map { head in
                    try entries.first { try $0.head() == head }?.name ?? ""
                }
            )
        }
    }

    /// The register that has seen the entries one after the other.
    static func merge(_ entries: [Entry]) throws -> SessionRegister {
        var register = SessionRegister()
        for entry in entries { _ = register.merge(try entry.head()) }
        return register
    }
}

extension RegisterVectors.Entry {
    fileprivate init(_ write: SampleHistory.Write, _ world: World) throws {
        let context = write.context.map { Dot(origin: Self.origin($0), sequence: $1) }.sorted()
        let dot = Dot(origin: Self.origin(write.origin), sequence: write.sequence)
        let header = EnvelopeHeader(
            tag: world.tag(world.sessions[0]),
            dot: dot,
            revision: write.revision,
            context: context
        )
        name = write.name
        origin = dot.origin.hex
        sequence = write.sequence
        revision = write.revision
        self.context = context.map {
            RegisterVectors.ContextDot(origin: $0.origin.hex, sequence: $0.sequence)
        }
        tieBreak = header.tieBreak.hex
        digest = Bytes32(repeating: write.digest).hex
    }

    private static func origin(_ number: UInt8) -> OriginID {
        let word = UInt64(number) &* 0x0101_0101_0101_0101
        return OriginID(Bytes16(word, word))
    }

    /// The head that is given to the register.
    func head() throws -> Head {
        func origin(_ hex: String) -> OriginID { OriginID(hex: hex) ?? OriginID(.zero) }
        return Head(
            dot: Dot(origin: origin(self.origin), sequence: sequence),
            revision: revision,
            context: context.map { Dot(origin: origin($0.origin), sequence: $0.sequence) },
            tieBreak: Bytes16(hex: tieBreak) ?? .zero,
            digest: Bytes32(hex: digest) ?? .zero
        )
    }
}

extension Bytes32 {
    fileprivate init(repeating byte: UInt8) {
        let word = UInt64(byte) &* 0x0101_0101_0101_0101
        self.init(word, word, word, word)
    }
}
