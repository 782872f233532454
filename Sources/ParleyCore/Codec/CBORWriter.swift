/// Appends items of the encoding that `CBORReader` reads to a buffer.
///
/// Every value has one encoding. The reader checks the limits of lengths; a mistake that only our
/// own code can make is a precondition.
package struct CBORWriter: ~Copyable {
    private var bytes: [UInt8]

    /// A map that is being written.
    package struct Map {
        fileprivate let start: Int
        fileprivate var count: UInt8 = 0
        fileprivate var last: UInt64?
    }

    /// Appends to `bytes`.
    package init(_ bytes: consuming [UInt8] = []) {
        self.bytes = bytes
    }

    /// The buffer with the appended items.
    package consuming func finish() -> [UInt8] { bytes }

    /// Leaves this writer empty, and returns its buffer in another one.
    mutating func take() -> CBORWriter {
        defer { bytes = [] }
        return CBORWriter(bytes)
    }

    // MARK: Numbers

    package mutating func unsigned(_ number: UInt64) {
        head(Major.unsigned, number)
    }

    package mutating func signed(_ number: Int64) {
        if number >= 0 {
            head(Major.unsigned, UInt64(number))
        } else {
            head(Major.negative, UInt64(-1 - number))
        }
    }

    package mutating func bool(_ value: Bool) {
        bytes.append(value ? Simple.trueByte : Simple.falseByte)
    }

    // MARK: Strings

    package mutating func byteString(_ content: [UInt8]) {
        byteStringHead(count: content.count)
        bytes.append(contentsOf: content)
    }

    package mutating func byteString(_ content: Slice) {
        byteStringHead(count: content.count)
        content.append(to: &bytes)
    }

    package mutating func fixed(_ value: some FixedBytes) {
        byteStringHead(count: type(of: value).count)
        value.append(to: &bytes)
    }

    package mutating func signature(_ signature: Signature) {
        byteStringHead(count: Signature.count)
        signature.first.append(to: &bytes)
        signature.second.append(to: &bytes)
    }

    /// Begins a byte string; `raw` appends its content.
    package mutating func byteStringHead(count: Int) {
        head(Major.bytes, UInt64(count))
    }

    /// The length of a byte string with `count` bytes of content, with its head.
    static func byteStringBytes(count: Int) -> Int {
        switch count {
        case 0..<24: 1 + count
        case 24...0xff: 2 + count
        case 0x100...0xffff: 3 + count
        default: 5 + count
        }
    }

    /// A part of the content of a byte string.
    package mutating func raw(_ value: some FixedBytes) {
        value.append(to: &bytes)
    }

    /// A number as eight bytes of the content of a byte string.
    package mutating func raw(_ number: UInt64) {
        bytes.appendBigEndian(number)
    }

    /// A byte string of packed elements.
    mutating func packed<Element: PackedElement>(_ elements: [Element]) {
        byteStringHead(count: Element.packedBytes * elements.count)
        for element in elements { element.appendPacked(to: &bytes) }
    }

    package mutating func text(_ text: String) {
        head(Major.text, UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    // MARK: Arrays and maps

    /// Begins an array; its elements follow.
    package mutating func array(count: Int) {
        head(Major.array, UInt64(count))
    }

    /// An array of items.
    mutating func list(_ items: [some CBORItem]) {
        array(count: items.count)
        for item in items { item.write(to: &self) }
    }

    /// Begins a map of at most 23 keys.
    package mutating func openMap() -> Map {
        bytes.append(Major.map << 5)
        return Map(start: bytes.count - 1)
    }

    /// Writes a key above all earlier keys; the value follows.
    package mutating func key(_ key: UInt64, in map: inout Map) {
        precondition(map.last.map { $0 < key } ?? true, "the keys of a map ascend")
        precondition(map.count < 23, "a map that is written has at most 23 keys")
        map.last = key
        map.count += 1
        unsigned(key)
    }

    package mutating func closeMap(_ map: Map) {
        bytes[map.start] |= map.count
    }

    // MARK: Parts

    /// Begins an item with the shortest possible head.
    private mutating func head(_ major: UInt8, _ argument: UInt64) {
        let initial = major << 5
        switch argument {
        case 0..<24:
            bytes.append(initial | UInt8(argument))
        case 24...0xff:
            bytes.append(initial | 24)
            bytes.append(UInt8(argument))
        case 0x100...0xffff:
            bytes.append(initial | 25)
            bytes.appendBigEndian(UInt16(argument))
        case 0x1_0000...0xffff_ffff:
            bytes.append(initial | 26)
            bytes.appendBigEndian(UInt32(argument))
        default:
            bytes.append(initial | 27)
            bytes.appendBigEndian(argument)
        }
    }
}
