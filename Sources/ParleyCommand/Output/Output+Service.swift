import ParleyAPI
import Synchronization

extension Output {
    /// Whether this process is a node, which goes on when its output has no reader.
    static let isService = Mutex(false)

    /// Writes one document, indented for a terminal and on one line elsewhere.
    func document(_ value: some Encodable) throws {
        bytes(try JSON.encode(value, isPretty: isTerminal) + [0x0A])
    }

    /// Writes one object of a stream, on one line.
    func object(_ value: some Encodable) throws {
        bytes(try JSON.encode(value) + [0x0A])
    }
}
