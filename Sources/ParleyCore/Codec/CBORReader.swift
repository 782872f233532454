/// Reads items of the encoding from a slice without copying it.
///
/// The encoding is a subset of deterministic CBOR, RFC 8949 section 4.2: integers, byte and text
/// strings, arrays, maps with ascending unsigned keys, false and true. Lengths are definite, and
/// all heads are as short as possible. Anything else is a `CodecError`. A declared length allocates
/// memory only if the bytes are there. After an error the reader must not be used any more.
package struct CBORReader {
    private let slice: Slice
    /// `cursor` and `end` are indices of `bytes`.
    private let end: Int
    private var cursor: Int
    private var depth = 0

    /// A map that is being read.
    package struct Map {
        fileprivate var remaining: Int
        fileprivate var last: UInt64?
        fileprivate var isPending = false
    }

    package init(_ slice: Slice) {
        self.slice = slice
        cursor = Int(slice.start)
        end = cursor + slice.count
    }

    /// The whole array of the slice.
    private var bytes: [UInt8] { slice.storage }

    /// The number of bytes that have been read.
    package var position: Int { cursor - Int(slice.start) }

    /// Checks that the whole slice was read.
    ///
    /// - Throws: `.trailingBytes` otherwise.
    package func finish() throws(CodecError) {
        guard cursor == end else { throw .trailingBytes }
    }

    // MARK: Numbers

    package mutating func unsigned() throws(CodecError) -> UInt64 {
        let head = try head()
        guard head.major == Major.unsigned else { throw .wrongType }
        return head.argument
    }

    /// An unsigned number in `range`.
    package mutating func unsigned(in range: ClosedRange<UInt64>) throws(CodecError) -> UInt64 {
        let number = try unsigned()
        guard range.contains(number) else { throw .outOfRange }
        return number
    }

    /// An unsigned number that fits in 32 bits.
    package mutating func unsigned32() throws(CodecError) -> UInt32 {
        guard let number = UInt32(exactly: try unsigned()) else { throw .outOfRange }
        return number
    }

    package mutating func signed() throws(CodecError) -> Int64 {
        let head = try head()
        guard head.major <= Major.negative else { throw .wrongType }
        guard let number = Int64(exactly: head.argument) else { throw .outOfRange }
        return head.major == Major.unsigned ? number : -1 - number
    }

    package mutating func bool() throws(CodecError) -> Bool {
        let head = try head()
        guard head.major == Major.simple else { throw .wrongType }
        return head.argument == Simple.true
    }

    /// A flag that is encoded only if it is true.
    package mutating func flag() throws(CodecError) -> Bool {
        guard try bool() else { throw .outOfRange }
        return true
    }

    // MARK: Strings

    /// A byte string of at most `lengthMax` bytes; shares the array.
    package mutating func byteString(lengthMax: Int) throws(CodecError) -> Slice {
        let range = try stringRange(Major.bytes, lengthMax: lengthMax)
        return slice[range.lowerBound - Int(slice.start)..<range.upperBound - Int(slice.start)]
    }

    /// A byte string of at most `countMax` elements of `elementBytes` bytes each; shares the array.
    package mutating func packed(
        elementBytes: Int,
        countMax: Int
    ) throws(CodecError) -> Slice {
        let bytes = try byteString(lengthMax: elementBytes * countMax)
        guard bytes.count.isMultiple(of: elementBytes) else { throw .wrongLength }
        return bytes
    }

    /// A byte string of `count` packed elements.
    mutating func packed<Element: PackedElement>(
        count: ClosedRange<Int>
    ) throws(CodecError) -> [Element] {
        let size = Element.packedBytes
        let bytes = try packed(elementBytes: size, countMax: count.upperBound)
        guard bytes.count >= size * count.lowerBound else { throw .wrongLength }
        var elements: [Element] = []
        elements.reserveCapacity(bytes.count / size)
        for offset in stride(from: 0, to: bytes.count, by: size) {
            elements.append(try Element(packed: bytes, at: offset))
        }
        return elements
    }

    /// A byte string of a fixed length.
    package mutating func fixed<Value: FixedBytes>(
        _ type: Value.Type = Value.self
    ) throws(CodecError) -> Value {
        Value(reading: slice, at: try fixedOffset(Value.count))
    }

    /// A byte string of 64 bytes.
    package mutating func signature() throws(CodecError) -> Signature {
        Signature(reading: slice, at: try fixedOffset(Signature.count))
    }

    /// A text string of at most `lengthMax` bytes.
    package mutating func text(lengthMax: Int) throws(CodecError) -> String {
        let range = try stringRange(Major.text, lengthMax: lengthMax)
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw .invalidUTF8
        }
        return text
    }

    // MARK: Arrays and maps

    /// Begins an array and returns its element count; call `closeArray` after the last element.
    package mutating func openArray(countMax: Int) throws(CodecError) -> Int {
        let count = try openContainer(Major.array)
        guard count <= countMax else { throw .tooLong }
        return count
    }

    /// Begins an array that is left out when empty; as `openArray`.
    package mutating func openList(countMax: Int) throws(CodecError) -> Int {
        let count = try openArray(countMax: countMax)
        guard count > 0 else { throw .wrongLength }
        return count
    }

    /// An array of `count` items.
    mutating func list<Item: CBORItem>(count: ClosedRange<Int>) throws(CodecError) -> [Item] {
        let found = try openArray(countMax: count.upperBound)
        guard found >= count.lowerBound else { throw .wrongLength }
        var items: [Item] = []
        for _ in 0..<found { items.append(try Item(from: &self)) }
        closeArray()
        return items
    }

    /// Begins an array of exactly `count` elements.
    package mutating func openArray(of count: Int) throws(CodecError) {
        guard try openContainer(Major.array) == count else { throw .wrongLength }
    }

    /// Begins an array of at least `count` elements; later versions may have appended more.
    package mutating func openArray(ofAtLeast count: Int) throws(CodecError) -> Int {
        let found = try openContainer(Major.array)
        guard found >= count else { throw .wrongLength }
        return found
    }

    /// Ends an array after all its elements were read.
    package mutating func closeArray() {
        depth -= 1
    }

    /// Begins a map; call `require` and `seek` with its keys in ascending order.
    package mutating func openMap() throws(CodecError) -> Map {
        Map(remaining: try openContainer(Major.map))
    }

    /// Moves to the value of `key`.
    ///
    /// - Throws: `.missingKey` without the key, otherwise as `seek`.
    package mutating func require(_ key: UInt64, in map: inout Map) throws(CodecError) {
        guard try seek(key, in: &map) else { throw .missingKey(key) }
    }

    /// Skips unknown keys below `key`, and moves to the value of `key` if there is one.
    ///
    /// - Returns: whether the key is there.
    /// - Throws: `.unknownKey` for a skipped odd key.
    package mutating func seek(_ key: UInt64, in map: inout Map) throws(CodecError) -> Bool {
        while true {
            guard let found = try peekKey(of: &map), found <= key else { return false }
            map.isPending = false
            if found == key { return true }
            try skipUnknown(found)
        }
    }

    /// Skips the rest of a map.
    ///
    /// - Throws: `.unknownKey` for an odd key.
    package mutating func closeMap(_ map: inout Map) throws(CodecError) {
        while let key = try peekKey(of: &map) {
            map.isPending = false
            try skipUnknown(key)
        }
        depth -= 1
    }

    /// Skips one item of any type.
    package mutating func skip() throws(CodecError) {
        let start = cursor
        let head = try head()
        switch head.major {
        case Major.bytes, Major.text:
            cursor = start
            let range = try stringRange(head.major, lengthMax: .max)
            if head.major == Major.text, !isUTF8(range) { throw .invalidUTF8 }
        case Major.array:
            cursor = start
            for _ in 0..<(try openContainer(Major.array)) { try skip() }
            closeArray()
        case Major.map:
            cursor = start
            var map = try openMap()
            while try peekKey(of: &map) != nil {
                map.isPending = false
                try skip()
            }
            depth -= 1
        default:
            break
        }
    }

    // MARK: Parts

    private mutating func skipUnknown(_ key: UInt64) throws(CodecError) {
        guard key.isMultiple(of: 2) else { throw .unknownKey(key) }
        try skip()
    }

    /// The next key of a map, or nil; the key stays the next one until `isPending` is reset.
    private mutating func peekKey(of map: inout Map) throws(CodecError) -> UInt64? {
        if map.isPending { return map.last }
        guard map.remaining > 0 else { return nil }
        map.remaining -= 1
        let key = try unsigned()
        if let last = map.last, last >= key {
            throw last == key ? .duplicateKey(key) : .notAscending
        }
        map.last = key
        map.isPending = true
        return key
    }

    /// Begins an array or a map, and checks that the bytes left can hold its elements.
    private mutating func openContainer(_ major: UInt8) throws(CodecError) -> Int {
        let head = try head()
        guard head.major == major else { throw .wrongType }
        guard depth < Limits.codecDepth else { throw .tooDeep }
        let capacity = UInt64(major == Major.map ? (end - cursor) / 2 : end - cursor)
        guard head.argument <= capacity else { throw .truncated }
        depth += 1
        return Int(head.argument)
    }

    /// Reads a string, and returns its range in the array.
    private mutating func stringRange(
        _ major: UInt8,
        lengthMax: Int
    ) throws(CodecError) -> Range<Int> {
        let head = try head()
        guard head.major == major else { throw .wrongType }
        guard head.argument <= UInt64(end - cursor) else { throw .truncated }
        guard head.argument <= UInt64(lengthMax) else { throw .tooLong }
        let start = cursor
        cursor += Int(head.argument)
        return start..<cursor
    }

    /// Reads a byte string of `count` bytes, and returns its offset in the slice.
    private mutating func fixedOffset(_ count: Int) throws(CodecError) -> Int {
        let head = try head()
        guard head.major == Major.bytes else { throw .wrongType }
        guard head.argument == UInt64(count) else { throw .wrongLength }
        guard count <= end - cursor else { throw .truncated }
        let offset = position
        cursor += count
        return offset
    }

    private func isUTF8(_ range: Range<Int>) -> Bool {
        do {
            _ = try UTF8Span(validating: bytes.span.extracting(range))
            return true
        } catch {
            return false
        }
    }

    /// Reads the head of an item: major type and argument.
    private mutating func head() throws(CodecError) -> (major: UInt8, argument: UInt64) {
        guard cursor < end else { throw .truncated }
        let initial = bytes[cursor]
        let major = initial >> 5
        let short = initial & 31
        guard major < Major.tag else {
            guard initial == Simple.falseByte || initial == Simple.trueByte else {
                throw .unsupportedType(initial)
            }
            cursor += 1
            return (major, UInt64(short))
        }
        guard short >= 24 else {
            cursor += 1
            return (major, UInt64(short))
        }
        return (major, try longArgument(initial))
    }

    /// The argument of a head, in the bytes after the first.
    private mutating func longArgument(_ initial: UInt8) throws(CodecError) -> UInt64 {
        let short = initial & 31
        guard short <= 27 else {
            let isString = (Major.bytes...Major.map).contains(initial >> 5)
            throw short == 31 && isString ? .indefiniteLength : .unsupportedType(initial)
        }
        let width = 1 << Int(short - 24)
        guard end - cursor > width else { throw .truncated }
        var argument: UInt64 = 0
        for index in cursor + 1...cursor + width {
            argument = argument << 8 | UInt64(bytes[index])
        }
        let isShortest = width == 1 ? argument >= 24 : argument >> UInt64(width * 4) != 0
        guard isShortest else { throw .notShortest }
        cursor += 1 + width
        return argument
    }
}

/// The major types: the first three bits of an item.
enum Major {
    static let unsigned: UInt8 = 0
    static let negative: UInt8 = 1
    static let bytes: UInt8 = 2
    static let text: UInt8 = 3
    static let array: UInt8 = 4
    static let map: UInt8 = 5
    static let tag: UInt8 = 6
    static let simple: UInt8 = 7
}

/// The simple values, each one byte.
enum Simple {
    static let falseByte: UInt8 = 0xf4
    static let trueByte: UInt8 = 0xf5
    static let `true`: UInt64 = 21
}
