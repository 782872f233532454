import ParleyCore

/// Items of the encoding for tests, by hand.
enum Item {
    static func bytes(_ content: [UInt8]) -> [UInt8] {
        var writer = CBORWriter()
        writer.byteString(content)
        return writer.finish()
    }

    static func text(_ content: String) -> [UInt8] {
        var writer = CBORWriter()
        writer.text(content)
        return writer.finish()
    }

    static func number(_ number: UInt64) -> [UInt8] {
        var writer = CBORWriter()
        writer.unsigned(number)
        return writer.finish()
    }

    static func array(_ elements: [[UInt8]]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(count: elements.count)
        return writer.finish() + elements.joined()
    }

    static let no: [UInt8] = [0xf4]
    static let yes: [UInt8] = [0xf5]
    static let null: [UInt8] = [0xf6]
}
