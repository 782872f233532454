/// Text in HTML.
enum HTMLText {
    /// The text with all special characters of HTML escaped, also within quotation marks.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { #"&<>"'"#.utf8.contains($0) }) else { return text }
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    /// The text as one part of a path.
    static func pathPart(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        // Browsers resolve these parts instead of sending them.
        return result == "." || result == ".." ? result.replacing(".", with: "%2E") : result
    }
}
