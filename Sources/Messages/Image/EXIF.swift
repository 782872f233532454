/// The orientation of a picture by EXIF.
enum EXIF {
    private static let orientationTag = 0x0112

    /// The orientation, from 1 to 8; 1 if there is none, or the block is damaged.
    static func orientation(in bytes: ImageBytes, _ block: Range<Int>) -> Int {
        // A damaged block says nothing, as in browsers.
        guard let found = try? read(bytes, block), (1...8).contains(found) else { return 1 }
        return found
    }

    private static func read(
        _ bytes: ImageBytes,
        _ block: Range<Int>
    ) throws(ImageError) -> Int {
        let start = block.lowerBound
        let isLittle = bytes.has("II", at: start)
        guard isLittle || bytes.has("MM", at: start) else { return 1 }
        func number(_ position: Int, _ size: Int) throws(ImageError) -> Int {
            guard position + size <= block.upperBound else { throw .truncated }
            return isLittle
                ? try bytes.littleEndian(position, size: size)
                : try bytes.bigEndian(position, size: size)
        }
        guard try number(start + 2, 2) == 42 else { return 1 }
        let table = start + (try number(start + 4, 4))
        for index in 0..<(try number(table, 2)) {
            // An entry has a tag, a type, a count, and the value in its last four bytes.
            let entry = table + 2 + 12 * index
            if try number(entry, 2) == orientationTag { return try number(entry + 8, 2) }
        }
        return 1
    }

    /// A segment of a JPEG that says nothing but the orientation.
    static func segment(_ orientation: Int) -> [UInt8] {
        let table: [UInt8] = [0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
        let block = Array("MM".utf8) + [0, 42, 0, 0, 0, 8] + table + [0, 0, 0, 0]
        return [0xFF, 0xE1, 0, UInt8(block.count + 8)] + Array("Exif\0\0".utf8) + block
    }
}
