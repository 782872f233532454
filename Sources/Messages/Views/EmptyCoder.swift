import Foundation

/// A coder that holds nothing, handed to the controllers that a storyboard would decode on iOS.
final class EmptyCoder: NSCoder {
    override var allowsKeyedCoding: Bool { true }

    override func containsValue(forKey key: String) -> Bool { false }
    override func decodeObject(forKey key: String) -> Any? { nil }
    override func decodeBool(forKey key: String) -> Bool { false }
    override func decodeInteger(forKey key: String) -> Int { 0 }
    override func decodeInt32(forKey key: String) -> Int32 { 0 }
    override func decodeInt64(forKey key: String) -> Int64 { 0 }
    override func decodeFloat(forKey key: String) -> Float { 0 }
    override func decodeDouble(forKey key: String) -> Double { 0 }
    override func decodeObject() -> Any? { nil }
    override func decodeData() -> Data? { nil }

    override func withDecodedUnsafeBufferPointer<Result>(
        forKey key: String,
        body: (UnsafeBufferPointer<UInt8>?) throws -> Result
    ) rethrows -> Result {
        try body(nil)
    }
}
