import ParleyCore
import Testing

/// Another process with this device's key is met once.
@Suite struct IdentityTests {
    private let device = DeviceID(Bytes32(1, 2, 3, 4))

    @Test func aDuplicateIsMetOnce() {
        var identity = Identity(device: device, epoch: Epoch(1), processNonce: 5)
        for (nonce, isNew) in [(6, true), (6, false), (7, true), (6, false), (7, false)] {
            let answer = identity.met(duplicate: UInt64(nonce))
            #expect(answer == isNew)
        }
    }

    @Test func theOldestOfSixteenDuplicatesIsForgotten() {
        var identity = Identity(device: device, epoch: Epoch(1), processNonce: 5)
        for nonce in 0..<UInt64(17) {
            let isNew = identity.met(duplicate: nonce)
            #expect(isNew)
        }
        for (nonce, isNew) in [(1, false), (16, false), (0, true), (2, false), (1, true)] {
            let answer = identity.met(duplicate: UInt64(nonce))
            #expect(answer == isNew)
        }
    }
}
