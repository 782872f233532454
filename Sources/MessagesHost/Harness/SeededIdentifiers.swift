import Foundation
import Messages
import ParleyFaults
import Synchronization

/// Identifiers of sessions that follow from a seed, so that a harness repeats itself.
final class SeededIdentifiers: Sendable {
    private let random: Mutex<SeededRandom>

    init(seed: UInt64) {
        random = Mutex(SeededRandom(seed: seed))
    }

    private func next() -> UUID {
        let bytes = random.withLock { $0.bytes(16) }
        let hex = bytes.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        var text = hex.joined()
        for place in [20, 16, 12, 8] {
            text.insert("-", at: text.index(text.startIndex, offsetBy: place))
        }
        // Sixteen bytes in hexadecimal are a UUID; version 8 is that of marks.
        let made = UUID(uuidString: text) ?? UUID()
        var raw = made.uuid
        raw.6 = raw.6 & 0x0F | 0x40
        return UUID(uuid: raw)
    }

    /// Runs what apps do with these identifiers.
    @MainActor
    func use<Value>(_ body: @MainActor () -> Value) -> Value {
        SessionIdentifiers.$source.withValue({ self.next() }) { body() }
    }
}
