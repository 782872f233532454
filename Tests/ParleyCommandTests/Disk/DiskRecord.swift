import Foundation

/// A call on a file that `DiskShim` has recorded.
struct DiskRecord: Sendable {
    /// The kinds of calls, by their letters in `Tests/Disk/calls.c`.
    enum Kind: Character, CaseIterable, Sendable {
        case open = "o"
        case create = "c"
        case read = "r"
        case write = "w"
        case syncBegins = "S"
        case sync = "s"
        case truncate = "t"
        case name = "n"
        case unlink = "u"
        case directory = "d"
        /// Bytes for a local socket.
        case answer = "a"
    }

    let kind: Kind
    let hasFailed: Bool
    /// The inode, 0 if the call has names only.
    let file: UInt64
    /// Where the bytes were written, or the new size.
    let offset: Int
    let names: [String]
    let bytes: Data

    private static let headBytes = 24

    /// The records of a log.
    static func all(in log: Data) throws -> [DiskRecord] {
        var records: [DiskRecord] = []
        var rest = log[...]
        while rest.count >= headBytes {
            let head = rest.prefix(headBytes)
            func number<Number: FixedWidthInteger>(_ start: Int, _: Number.Type) -> Number {
                head.dropFirst(start).prefix(Number.bitWidth / 8).reversed()
                    .reduce(0) { $0 << 8 | Number($1) }
            }
            guard let kind = Kind(rawValue: Character(UnicodeScalar(number(0, UInt8.self)))) else {
                throw Broken("the log has a record of an unknown kind")
            }
            let names = rest.dropFirst(headBytes).prefix(Int(number(2, UInt16.self)))
            let bytes = rest[names.endIndex...].prefix(Int(number(4, UInt32.self)))
            records.append(
                DiskRecord(
                    kind: kind,
                    hasFailed: number(1, UInt8.self) == 1,
                    file: number(8, UInt64.self),
                    offset: Int(truncatingIfNeeded: number(16, UInt64.self)),
                    names: names.split(separator: 0).map { String(decoding: $0, as: UTF8.self) },
                    bytes: Data(bytes)
                )
            )
            rest = rest[bytes.endIndex...]
        }
        return records
    }
}
