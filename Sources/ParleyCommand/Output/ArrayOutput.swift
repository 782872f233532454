import ParleyAPI

/// A JSON array that is written element by element.
struct ArrayOutput {
    private let output: Output
    private var isEmpty = true

    init(_ output: Output) {
        self.output = output
    }

    mutating func add(_ elements: [some Encodable]) throws {
        for element in elements {
            let start: [UInt8] = isEmpty ? [0x5B] : [0x2C]
            output.bytes(start + (try JSON.encode(element, isPretty: output.isTerminal)))
            isEmpty = false
        }
    }

    func end() { output.line(isEmpty ? "[]" : "]") }
}
