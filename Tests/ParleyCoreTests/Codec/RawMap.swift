import ParleyCore

/// A map of the encoding taken apart, so that a test can leave out, add and change keys.
struct RawMap {
    /// Keys below 24 and the bytes of their values, in their order.
    var entries: [(key: UInt8, value: [UInt8])] = []

    /// The map that `bytes` is; it has at most 23 keys, all below 24.
    init(_ bytes: [UInt8]) throws {
        let count = Int(bytes[0] & 31)
        var offset = 1
        for _ in 0..<count {
            var reader = CBORReader(Slice(Array(bytes[(offset + 1)...])))
            try reader.skip()
            let end = offset + 1 + reader.position
            entries.append((key: bytes[offset], value: Array(bytes[(offset + 1)..<end])))
            offset = end
        }
    }

    var bytes: [UInt8] {
        entries.reduce(into: [0xa0 | UInt8(entries.count)]) { bytes, entry in
            bytes += [entry.key] + entry.value
        }
    }

    func without(_ key: UInt8) -> [UInt8] {
        var copy = self
        copy.entries.removeAll { $0.key == key }
        return copy.bytes
    }

    /// The map with `value` under `key`, at its place.
    func with(_ key: UInt8, _ value: [UInt8]) -> [UInt8] {
        var copy = self
        copy.entries.removeAll { $0.key == key }
        copy.entries.append((key: key, value: value))
        copy.entries.sort { $0.key < $1.key }
        return copy.bytes
    }
}
