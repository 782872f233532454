import Foundation

/// Stores a value in an archive, as bytes under a single key.
///
/// Foundation's decoder on Linux ends the process when it meets an object of an unexpected class.
/// Bytes have no class, so a wrong archive cannot do that.
enum ArchivedValue {
    /// The largest archived value, in bytes; our own values are smaller.
    static let bytesMax = 128 * 1_024 * 1_024
    static let key = "parley.value"

    static func encode(_ value: some Encodable, with coder: NSCoder) {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        // The value is put into an array, as a property list is never a bare value. Encoding our
        // values does not fail. If it did, a coder could not report it: the archive would lack the
        // value and decode as nil.
        guard let data = try? encoder.encode([value]) else { return }
        data.withUnsafeBytes { bytes in
            coder.encodeBytes(
                bytes.bindMemory(to: UInt8.self).baseAddress,
                length: bytes.count,
                forKey: key
            )
        }
    }

    /// The value of `type`; nil if the archive has no value of this type.
    static func decode<Value: Decodable>(_ type: Value.Type, from coder: NSCoder) -> Value? {
        guard coder.allowsKeyedCoding else { return nil }
        let data = coder.withDecodedUnsafeBufferPointer(forKey: key) { bytes -> Data? in
            bytes.flatMap { $0.count <= bytesMax ? Data(buffer: $0) : nil }
        }
        return data.flatMap { decode(type, from: $0) }
    }

    /// The value of `type` that `data` holds, or nil.
    static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
        // `init?(coder:)`, the caller, can only return nil, so the reason is not kept.
        (try? PropertyListDecoder().decode([Value].self, from: data))?.first
    }
}
