import ParleyCore
import ParleyFaults
import Testing

/// A receipt counts only for the author for whom a reader made it.
@Suite struct ReceiptSealTests {
    private static let table = SimulatedConversation(1)
    private static let author = SimulatedAuthor(
        crypto: SimulatedCryptography(seed: 1),
        table: table
    )
    private static let reader = SimulatedCryptography(seed: 2)

    /// The keys of a conversation on a device.
    private static func keys(
        _ crypto: SimulatedCryptography,
        as role: Capability.Role = .reader,
        in table: SimulatedConversation = table
    ) -> ConversationKeys {
        let device = device(crypto)
        let record = table.record(number: 1, role: role, device: device)
        let recovered = RecoveredConversation(record: record)
        return Conversation(
            recovered: recovered,
            device: device,
            epoch: Epoch(1),
            limits: Limits(),
            using: crypto
        ).keys
    }

    private static func device(_ crypto: SimulatedCryptography) -> DeviceID {
        DeviceID(publicKey: crypto.devicePublicKey, using: crypto)
    }

    /// The seal of `maker`, as the one of both has it that `crypto` belongs to.
    private static func seal(
        of maker: SimulatedCryptography = reader,
        for author: SimulatedCryptography = author.crypto,
        at crypto: SimulatedCryptography,
        as role: Capability.Role = .reader,
        in table: SimulatedConversation = table
    ) -> ReceiptSeal? {
        let isMaker = crypto.devicePublicKey == maker.devicePublicKey
        return ReceiptSeal(
            of: device(maker),
            for: device(author),
            otherKey: (isMaker ? author : maker).devicePublicKey,
            keys: keys(crypto, as: role, in: table),
            using: crypto
        )
    }

    @Test func theAuthorOpensWhatTheReaderSealed() throws {
        let made = try #require(Self.seal(at: Self.reader))
        let known = try #require(Self.seal(at: Self.author.crypto, as: .writer))
        let runs: [ClosedRange<UInt64>] = [1...1, 5...9, 1 << 40...1 << 40 + 3, 1 << 47...1 << 47]
        let receipt = made.receipt(
            runs[...],
            of: Self.author.origin,
            counter: 7,
            using: Self.reader
        )
        #expect(known.id == made.id)
        #expect(receipt.sealed.count == Receipt.sealedBytes)
        let crypto = Self.author.crypto
        #expect(known.opened(receipt, of: Self.author.origin, using: crypto) == runs)
    }

    /// A receipt that somebody else made, changed or sent again for something else.
    @Test(arguments: Fraud.allCases)
    func fraudDoesNotOpen(_ fraud: Fraud) throws {
        let other = SimulatedCryptography(seed: 3)
        var (origin, counter) = (Self.author.origin, UInt64(7))
        let seal: ReceiptSeal? =
            switch fraud {
            case .ofAnotherDevice: Self.seal(of: other, at: other)
            case .forAnotherAuthor: Self.seal(for: other, at: Self.reader)
            // Whoever is out has keys of before, as of another conversation.
            case .byWhoIsOut: Self.seal(at: Self.reader, in: SimulatedConversation(2))
            default: Self.seal(at: Self.reader)
            }
        var receipt = try #require(seal)
            .receipt([4...4], of: origin, counter: counter, using: Self.reader)
        switch fraud {
        case .replayedWithAnotherCounter: counter += 1
        case .replayedForAnotherOrigin: origin = OriginID(Bytes16(1, 2))
        default: break
        }
        let known = try #require(Self.seal(at: Self.author.crypto, as: .writer))
        receipt = Receipt(device: known.id, counter: counter, sealed: receipt.sealed)
        #expect(known.opened(receipt, of: origin, using: Self.author.crypto) == nil)
    }

    @Test func noRelayCanSeal() {
        #expect(Self.seal(at: Self.reader, as: .relay) == nil)
    }

    /// The key of small order of the simulator.
    @Test func noSealWithAKeyOfSmallOrder() {
        let seal = ReceiptSeal(
            of: Self.device(Self.reader),
            for: Self.author.device,
            otherKey: .zero,
            keys: Self.keys(Self.reader),
            using: Self.reader
        )
        #expect(seal == nil)
    }

    enum Fraud: CaseIterable, Sendable {
        case ofAnotherDevice, forAnotherAuthor, byWhoIsOut
        case replayedWithAnotherCounter, replayedForAnotherOrigin
    }
}
