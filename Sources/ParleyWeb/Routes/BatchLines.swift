package import NIOCore

/// A line of a batch, without its line end.
package struct BatchLine: Sendable {
    /// Its number in the batch, from 1 on; empty lines count.
    package let number: Int
    package let bytes: ByteBuffer
}

/// Cuts a body that comes in parts into lines.
package struct BatchLines {
    /// The number of lines so far, also of empty ones.
    package private(set) var number = 0
    private var rest = ByteBuffer()

    package init() {}

    /// The bytes of a line whose end has not come.
    package var waitingBytes: Int { rest.readableBytes }

    /// Appends the next part of the body.
    package mutating func append(_ part: ByteBuffer) {
        rest.discardReadBytes()
        rest.writeImmutableBuffer(part)
    }

    /// The next complete lines that are not empty; nil if there is none.
    package mutating func take(atMost limit: Int) -> [BatchLine]? {
        var lines: [BatchLine] = []
        while lines.count < limit, let end = rest.readableBytesView.firstIndex(of: 0x0A) {
            number += 1
            let bytes = rest.readSlice(length: end - rest.readerIndex)
            rest.moveReaderIndex(forwardBy: 1)
            if let bytes, !Self.isEmpty(bytes) {
                lines.append(BatchLine(number: number, bytes: bytes))
            }
        }
        return lines.isEmpty ? nil : lines
    }

    /// The line at the end of the body, if it has no line end.
    package mutating func takeLast() -> [BatchLine] {
        guard !Self.isEmpty(rest) else { return [] }
        number += 1
        defer { rest = ByteBuffer() }
        return [BatchLine(number: number, bytes: rest)]
    }

    private static func isEmpty(_ bytes: ByteBuffer) -> Bool {
        !bytes.readableBytesView.contains { $0 > 0x20 }
    }
}
