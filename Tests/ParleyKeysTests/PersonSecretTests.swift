import ParleyCore
import ParleyKeys
import Testing

/// The secret of a person on two devices.
@Suite struct PersonSecretTests {
    private static func secret(_ number: UInt32, _ since: UInt64, _ seed: UInt64) -> PersonSecret {
        PersonSecret(seed: Bytes32(seed, 0, 0, 0), number: number, since: since, name: "n\(seed)")
    }

    /// Both sides keep the same, whoever begins: the newest key of a person, else the older person.
    @Test(arguments: [
        (secret(0, 5, 1), secret(0, 9, 2), "n1"), (secret(1, 9, 1), secret(0, 5, 2), "n1"),
        (secret(1, 9, 1), secret(1, 5, 2), "n2"), (secret(2, 9, 1), secret(1, 5, 2), "n1"),
    ])
    func bothSidesKeepTheSame(_ one: PersonSecret, _ other: PersonSecret, _ name: String) {
        let kept = one.linked(to: other)
        #expect(kept == other.linked(to: one))
        #expect(kept.name == name && kept.number == max(one.number, other.number, 1))
    }

    @Test func ofEqualPersonsBothKeepTheSame() {
        let (one, other) = (Self.secret(1, 5, 1), Self.secret(1, 5, 2))
        #expect(one.linked(to: other) == other.linked(to: one))
    }

    /// Regression: the next number overflowed, which ended the process.
    @Test func noNumberIsTooHighForAnotherKey() throws {
        #expect(PersonSecret(packed: Slice(Self.secret(.max, 5, 1).packed)) == nil)
        let highest = try #require(PersonSecret(packed: Slice(Self.secret(.max - 1, 5, 1).packed)))
        #expect(highest.renewed().number == .max - 1 && highest.renewed() != highest)
    }

    @Test func aNewKeyCountsMore() {
        let old = Self.secret(1, 5, 1)
        let new = old.renewed()
        #expect(old.linked(to: new) == new && new.linked(to: old) == new)
        #expect(new.name == old.name && new.publicKey != old.publicKey)
    }

    @Test(arguments: [0, 43, 44, 109]) func otherLengthsAreRefused(_ count: Int) {
        #expect(PersonSecret(packed: Slice([UInt8](repeating: 65, count: count))) == nil)
    }
}
