package import Foundation
import ParleyCore

/// Text from peers, made safe for a terminal, and its formatting.
package enum TerminalText {
    /// The text with a replacement character for each scalar that is not printable.
    package static func safe(_ text: String) -> String { PrintableText.replaced(text) }

    /// The text truncated to at most `columns`, with an ellipsis if it was cut.
    package static func fitted(_ text: String, columns: Int) -> String {
        guard self.columns(text) > columns else { return text }
        var fitted = ""
        var used = 0
        for character in text {
            let width = self.columns(String(character))
            guard used + width <= columns - 1 else { break }
            fitted.append(character)
            used += width
        }
        return fitted + "…"
    }

    /// The number of columns that the text occupies, without escape sequences of colours.
    package static func columns(_ text: String) -> Int {
        var columns = 0
        var isEscaped = false
        for character in text {
            if isEscaped {
                isEscaped = character != "m"
            } else if character == "\u{1B}" {
                isEscaped = true
            } else {
                columns += isWide(character) ? 2 : 1
            }
        }
        return columns
    }

    /// The age of `date` as text.
    package static func age(of date: Date, now: Date = Date()) -> String {
        let seconds = now.timeIntervalSince(date)
        switch seconds {
        case ..<(-5): return date.formatted(.iso8601)
        case ..<2: return "just now"
        case ..<60: return "\(Int(seconds)) s ago"
        case ..<3_600: return "\(Int(seconds / 60)) min ago"
        case ..<86_400: return "\(Int(seconds / 3_600)) h ago"
        case ..<2_592_000: return "\(Int(seconds / 86_400)) d ago"
        default: return date.formatted(.iso8601.year().month().day())
        }
    }

    /// A number of bytes as text.
    package static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) B"
        case ..<1_000_000: "\(bytes / 1_000) kB"
        case ..<1_000_000_000: "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
        default: "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
        }
    }

    private static func isWide(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
            0x20000...0x3FFFD:
            return true
        default:
            return false
        }
    }
}
