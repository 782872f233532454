import CQREncode
package import ParleyAPI

/// A QR code as a square of dark and light modules.
package struct QRCode: Sendable {
    /// The number of modules in a row, and of rows.
    package let width: Int
    private let modules: [UInt8]

    /// White modules around the code; the standard requires four.
    package static let margin = 4

    /// The code of a text.
    ///
    /// - Throws: a `Problem` if the text is too long for a QR code.
    package init(_ text: String) throws(Problem) {
        // A zero byte would end the C string.
        guard !text.utf8.contains(0),
            let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1)
        else { throw Problem(.tooLarge, "The link is too long for a QR code.") }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        modules = Array(UnsafeBufferPointer(start: code.pointee.data, count: width * width))
    }

    /// Whether the module is dark; all modules outside of the code are light.
    package func isDark(row: Int, column: Int) -> Bool {
        let range = 0..<width
        guard range.contains(row), range.contains(column) else { return false }
        return modules[row * width + column] & 1 == 1
    }

    /// The code as an SVG picture, dark on white, with its margin.
    package var svg: String {
        let side = width + 2 * Self.margin
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                let start = column
                while isDark(row: row, column: column) { column += 1 }
                if column > start {
                    path +=
                        "M\(start + Self.margin) \(row + Self.margin)h\(column - start)v1"
                        + "h-\(column - start)z"
                }
                column += 1
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(side * 8)" height="\(side * 8)" \
            viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path d="\(path)"/></svg>
            """
    }
}
