package import ParleyAPI
import ParleyWeb

/// A QR code as text: each line shows two rows of modules with half blocks.
package enum QRText {
    /// The lines of the code, with white modules as full blocks, for a dark terminal.
    ///
    /// - Throws: a `Problem` if the text is too long for a QR code.
    package static func lines(_ text: String) throws(Problem) -> [String] {
        let code = try QRCode(text)
        let margin = QRCode.margin
        return stride(from: -margin, to: code.width + margin, by: 2).map { row in
            var line = ""
            for column in -margin..<code.width + margin {
                let above = code.isDark(row: row, column: column)
                switch (above, code.isDark(row: row + 1, column: column)) {
                case (false, false): line += "█"
                case (false, true): line += "▀"
                case (true, false): line += "▄"
                case (true, true): line += " "
                }
            }
            return line
        }
    }
}
