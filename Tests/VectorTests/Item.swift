import ParleyCore

/// One item of the encoding with the name of what it says: how the vectors show a header, a body or
/// a frame, so that any other encoder can be tried on them.
///
/// Exactly one of the values is there. Numbers are decimal texts, as they have up to 64 bits.
struct Item: Codable, Equatable {
    var name: String?
    /// Its key, if it is in a map.
    var key: UInt64?
    var number: String?
    var text: String?
    /// As hexadecimal digits.
    var bytes: String?
    var bool: Bool?
    var array: [Item]?
    /// The values by their keys, in ascending order.
    var map: [Item]?

    static func number(_ name: String, _ value: some BinaryInteger) -> Item {
        Item(name: name, number: String(value))
    }

    static func text(_ name: String, _ value: String) -> Item { Item(name: name, text: value) }

    static func bytes(_ name: String, _ value: [UInt8]) -> Item {
        Item(name: name, bytes: Hexadecimal.text(value))
    }

    static func bytes(_ name: String, _ value: some FixedBytes) -> Item {
        Item(name: name, bytes: value.hex)
    }

    static func bool(_ name: String, _ value: Bool) -> Item { Item(name: name, bool: value) }

    static func array(_ name: String, _ items: [Item]) -> Item { Item(name: name, array: items) }

    /// Values with their keys.
    static func map(_ name: String?, _ items: [(UInt64, Item)]) -> Item {
        let values = items.map { key, item in
            var item = item
            item.key = key
            return item
        }
        return Item(name: name, map: values)
    }

    /// The item as `CBORWriter` writes it.
    func encoded() throws -> [UInt8] {
        var writer = CBORWriter()
        try write(to: &writer)
        return writer.finish()
    }

    private func write(to writer: inout CBORWriter) throws {
        if let number {
            if let value = UInt64(number) {
                writer.unsigned(value)
            } else {
                writer.signed(Int64(number) ?? 0)
            }
        }
        if let text { writer.text(text) }
        if let bytes { writer.byteString(try VectorTests.bytes(bytes)) }
        if let bool { writer.bool(bool) }
        if let array {
            writer.array(count: array.count)
            for item in array { try item.write(to: &writer) }
        }
        if let map {
            var open = writer.openMap()
            for item in map {
                writer.key(item.key ?? 0, in: &open)
                try item.write(to: &writer)
            }
            writer.closeMap(open)
        }
    }
}
