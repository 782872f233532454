import ParleyCore
import Testing

/// An item as a test names it.
enum Value: Sendable, Equatable {
    case unsigned(UInt64)
    case signed(Int64)
    case bool(Bool)
    case bytes([UInt8])
    case text(String)
    case array([Value])

    func write(to writer: inout CBORWriter) {
        switch self {
        case .unsigned(let number): writer.unsigned(number)
        case .signed(let number): writer.signed(number)
        case .bool(let value): writer.bool(value)
        case .bytes(let bytes): writer.byteString(bytes)
        case .text(let text): writer.text(text)
        case .array(let elements):
            writer.array(count: elements.count)
            for element in elements { element.write(to: &writer) }
        }
    }

    init(from reader: inout CBORReader, like value: Value) throws(CodecError) {
        switch value {
        case .unsigned: self = .unsigned(try reader.unsigned())
        case .signed: self = .signed(try reader.signed())
        case .bool: self = .bool(try reader.bool())
        case .bytes: self = .bytes(try reader.byteString(lengthMax: 100).bytes)
        case .text: self = .text(try reader.text(lengthMax: 100))
        case .array(let elements):
            try reader.openArray(of: elements.count)
            var read: [Value] = []
            for element in elements { read.append(try Value(from: &reader, like: element)) }
            reader.closeArray()
            self = .array(read)
        }
    }
}

/// An example of RFC 8949 appendix A.
struct Vector: Sendable, CustomTestStringConvertible {
    let value: Value
    let bytes: [UInt8]

    init(_ value: Value, _ hex: String) {
        self.value = value
        bytes = Hexadecimal.bytes(hex) ?? []
    }

    var testDescription: String { Hexadecimal.text(bytes) }

    static let all = [
        Vector(.unsigned(0), "00"),
        Vector(.unsigned(1), "01"),
        Vector(.unsigned(10), "0a"),
        Vector(.unsigned(23), "17"),
        Vector(.unsigned(24), "1818"),
        Vector(.unsigned(100), "1864"),
        Vector(.unsigned(255), "18ff"),
        Vector(.unsigned(256), "190100"),
        Vector(.unsigned(1_000), "1903e8"),
        Vector(.unsigned(65_535), "19ffff"),
        Vector(.unsigned(65_536), "1a00010000"),
        Vector(.unsigned(1_000_000), "1a000f4240"),
        Vector(.unsigned(1_000_000_000_000), "1b000000e8d4a51000"),
        Vector(.unsigned(UInt64.max), "1bffffffffffffffff"),
        Vector(.signed(-1), "20"),
        Vector(.signed(-10), "29"),
        Vector(.signed(-100), "3863"),
        Vector(.signed(-1_000), "3903e7"),
        Vector(.signed(Int64.min), "3b7fffffffffffffff"),
        Vector(.bool(false), "f4"),
        Vector(.bool(true), "f5"),
        Vector(.bytes([]), "40"),
        Vector(.bytes([1, 2, 3, 4]), "4401020304"),
        Vector(.text(""), "60"),
        Vector(.text("IETF"), "6449455446"),
        Vector(.text("\u{fc}"), "62c3bc"),
        Vector(.text("\u{6c34}"), "63e6b0b4"),
        Vector(.text("\u{10151}"), "64f0908591"),
        Vector(.array([]), "80"),
        Vector(
            .array([.unsigned(1), .array([.unsigned(2), .unsigned(3)])]),
            "8201820203"
        ),
    ]
}
