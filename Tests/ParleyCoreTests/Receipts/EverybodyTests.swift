import ParleyCore
import Testing

/// Who has a claim to the messages of a conversation.
@Suite struct EverybodyTests {
    /// Relays open no message, so nobody waits for them.
    @Test func admittedRelaysAreNotCounted() throws {
        let puppet = Puppet()
        let conversation = try #require(puppet.machine.conversations.first)
        let roles = [Capability.Role.writer, .reader, .relay]
        let admissions = roles.enumerated().map { number, role in
            Admission(
                inviterKey: .zero,
                device: DeviceID(number: UInt64(number + 1)),
                role: role,
                number: 1,
                signature: Signature(first: .zero, second: .zero)
            )
        }
        let everybody = puppet.machine.author.receipts
            .everybody(in: conversation, members: [], admissions: admissions)
        #expect(everybody == Set(admissions.prefix(2).map(\.device)))
    }
}
