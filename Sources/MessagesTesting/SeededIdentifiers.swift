import Foundation
import Messages
import ParleyFaults
import Synchronization

/// Makes identifiers of sessions from a seed, so that every run of a test has the same ones.
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
        for offset in [20, 16, 12, 8] {
            text.insert("-", at: text.index(text.startIndex, offsetBy: offset))
        }
        // Sixteen bytes in hexadecimal are always a UUID. It gets version 4, as version 8 is for
        // messages without a session.
        let made = UUID(uuidString: text) ?? UUID()
        var raw = made.uuid
        raw.6 = raw.6 & 0x0F | 0x40
        return UUID(uuid: raw)
    }

    /// Runs code of apps, whose new sessions get these identifiers.
    @MainActor
    func use<Value>(_ body: @MainActor () -> Value) -> Value {
        let source = SessionIdentifiers.Source { self.next() }
        return SessionIdentifiers.$source.withValue(source) { body() }
    }
}
