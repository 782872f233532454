import Foundation

/// Checks a binary property list before Foundation reads it.
///
/// Foundation ends the process on a set, and on a dictionary whose keys have no hash. Archives
/// contain neither: the keys of their dictionaries are strings.
struct BinaryPropertyList {
    private let bytes: [UInt8]
    private let offsetBytes: Int
    private let referenceBytes: Int
    private let objectCount: Int
    private let tableStart: Int

    private static let trailerBytes = 32

    /// Whether Foundation can read `data` safely.
    ///
    /// A list of another format is safe, and a binary list with strings as keys and without sets.
    static func isHarmless(_ data: Data) -> Bool {
        guard data.starts(with: Array("bplist".utf8)) else { return true }
        return BinaryPropertyList(data)?.hasOnlyWhatArchivesHave ?? false
    }

    /// The list; nil if its trailer points out of the data.
    private init?(_ data: Data) {
        bytes = Array(data)
        let trailer = bytes.count - Self.trailerBytes
        guard trailer >= 0 else { return nil }
        offsetBytes = Int(bytes[trailer + 6])
        referenceBytes = Int(bytes[trailer + 7])
        guard let count = Self.number(bytes, at: trailer + 8, count: 8),
            let start = Self.number(bytes, at: trailer + 24, count: 8),
            count <= bytes.count, start <= bytes.count
        else { return nil }
        objectCount = count
        tableStart = start
    }

    private var hasOnlyWhatArchivesHave: Bool {
        (0..<objectCount).allSatisfy { object in
            switch kind(of: object) {
            case .some(0...6), 8, 0xA: true
            case 0xD: hasStringsAsKeys(object)
            default: false
            }
        }
    }

    private func hasStringsAsKeys(_ dictionary: Int) -> Bool {
        guard let offset = offset(of: dictionary) else { return false }
        var (count, keys) = (Int(bytes[offset] & 0xF), offset + 1)
        if count == 0xF {
            guard keys < bytes.count, bytes[keys] >> 4 == 1, bytes[keys] & 0xF <= 3 else {
                return false
            }
            let width = 1 << Int(bytes[keys] & 0xF)
            guard let long = Self.number(bytes, at: keys + 1, count: width) else { return false }
            (count, keys) = (long, keys + 1 + width)
        }
        guard count <= bytes.count else { return false }
        return (0..<count).allSatisfy { index in
            let place = keys + index * referenceBytes
            guard let key = Self.number(bytes, at: place, count: referenceBytes) else {
                return false
            }
            return kind(of: key) == 5 || kind(of: key) == 6
        }
    }

    /// The upper half of an object's first byte: the kind of the object.
    private func kind(of object: Int) -> UInt8? { offset(of: object).map { bytes[$0] >> 4 } }

    private func offset(of object: Int) -> Int? {
        guard object < objectCount else { return nil }
        let place = tableStart + object * offsetBytes
        let offset = Self.number(bytes, at: place, count: offsetBytes)
        return offset.flatMap { $0 < bytes.count ? $0 : nil }
    }

    /// A number of 1 to 8 bytes, nil if it is not in the list or too large.
    private static func number(_ bytes: [UInt8], at place: Int, count: Int) -> Int? {
        guard (1...8).contains(count), place + count <= bytes.count else { return nil }
        let number = bytes[place..<place + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: number)
    }
}
