import Foundation

/// A value of ours inside an archive, as one run of bytes under one key.
///
/// Foundation's decoder on Linux ends the process when it meets an object of a class that was not
/// expected. Bytes have no class, so what an archive holds can be wrong without harm.
enum ArchivedValue {
    /// An archive with more than this is not ours.
    static let bytesMax = 128 * 1_024 * 1_024
    static let key = "parley.value"

    static func encode(_ value: some Encodable, with coder: NSCoder) {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        // In an array, as a property list is never a bare value. Encoding our values cannot fail,
        // and a coder has no way to say so: the archive then lacks the value and decodes as nil.
        guard let data = try? encoder.encode([value]) else { return }
        data.withUnsafeBytes { bytes in
            coder.encodeBytes(
                bytes.bindMemory(to: UInt8.self).baseAddress,
                length: bytes.count,
                forKey: key
            )
        }
    }

    /// The value of `type`, or nil if there is none or something else.
    static func decode<Value: Decodable>(_ type: Value.Type, from coder: NSCoder) -> Value? {
        guard coder.allowsKeyedCoding else { return nil }
        let data = coder.withDecodedUnsafeBufferPointer(forKey: key) { bytes -> Data? in
            bytes.flatMap { $0.count <= bytesMax ? Data(buffer: $0) : nil }
        }
        return data.flatMap { decode(type, from: $0) }
    }

    /// The value of `type` that `data` holds, or nil.
    static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
        // Whatever is wrong with it, `init?(coder:)` says it with nil.
        (try? PropertyListDecoder().decode([Value].self, from: data))?.first
    }
}
