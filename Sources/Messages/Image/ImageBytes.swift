import Foundation

/// Bounds-checked access to bytes by position, without copying them.
struct ImageBytes {
    private let data: Data

    init(_ data: Data) {
        self.data = data
    }

    var count: Int { data.count }

    func byte(_ position: Int) throws(ImageError) -> UInt8 {
        guard position >= 0, position < data.count else { throw .truncated }
        return data[data.startIndex + position]
    }

    /// A number of `size` bytes, most significant first; `size` is at most 4.
    func bigEndian(_ position: Int, size: Int) throws(ImageError) -> Int {
        var value = 0
        for offset in 0..<size { value = value << 8 | Int(try byte(position + offset)) }
        return value
    }

    /// A number of `size` bytes, least significant first; `size` is at most 4.
    func littleEndian(_ position: Int, size: Int) throws(ImageError) -> Int {
        var value = 0
        for offset in 0..<size { value |= Int(try byte(position + offset)) << (8 * offset) }
        return value
    }

    /// The range from `position` to `end`, which must be inside of the file.
    func range(_ position: Int, upTo end: Int) throws(ImageError) -> Range<Int> {
        guard position <= end, end <= data.count else { throw .truncated }
        return position..<end
    }

    /// The position of the next byte of that value; nil if there is none.
    func position(of byte: UInt8, from start: Int) -> Int? {
        guard start < data.count else { return nil }
        return data.withUnsafeBytes { $0[start...].firstIndex(of: byte) }
    }

    func has(_ text: String, at position: Int) -> Bool {
        has(Array(text.utf8), at: position)
    }

    private func has(_ text: [UInt8], at position: Int) -> Bool {
        guard position >= 0, data.count - text.count >= position else { return false }
        return text.indices.allSatisfy { data[data.startIndex + position + $0] == text[$0] }
    }

    func starts(with text: [UInt8]) -> Bool { has(text, at: 0) }

    /// The first `max` bytes, or all bytes if there are fewer.
    func prefix(_ max: Int) -> [UInt8] { Array(data.prefix(max)) }
}
