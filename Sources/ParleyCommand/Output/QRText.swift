import CQREncode
package import ParleyAPI

/// A QR code as text: each line shows two rows of modules with half blocks.
package enum QRText {
    /// White modules around the code; the standard requires four.
    private static let margin = 4

    /// The lines of the code, with white modules as full blocks, for a dark terminal.
    ///
    /// - Throws: a `Problem` if the text is too long for a QR code.
    package static func lines(_ text: String) throws(Problem) -> [String] {
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else {
            throw Problem(.tooLarge, "The link is too long for a QR code.")
        }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        let modules = code.pointee.data
        func isDark(_ row: Int, _ column: Int) -> Bool {
            let range = 0..<width
            guard range.contains(row), range.contains(column), let modules else { return false }
            return modules[row * width + column] & 1 == 1
        }
        return stride(from: -margin, to: width + margin, by: 2).map { row in
            var line = ""
            for column in -margin..<width + margin {
                switch (isDark(row, column), isDark(row + 1, column)) {
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
