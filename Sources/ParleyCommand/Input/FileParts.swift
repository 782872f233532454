import Foundation
import NIOCore
import ParleyAPI
import ParleyNode
import Synchronization

/// The bytes of a file, for the body of a request; only a part of them is in memory at a time.
final class FileParts: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    /// The length of the file.
    let count: Int
    private let path: String
    private let reader: FileReader
    private let read = Atomic<Int>(0)

    private static let partBytes = 512 << 10

    /// Opens a file.
    ///
    /// - Throws: `noFile`, with the reason of the system.
    init(path: String) async throws(Problem) {
        self.path = path
        reader = FileReader(path: URL(filePath: path).resolvingSymlinksInPath().path)
        do throws(FileFailure) { count = try await reader.open() } catch {
            throw Problem(.noFile, "\(path) cannot be read: \(error).", hint: "Check --file.")
        }
    }

    /// The bytes that were taken so far.
    var taken: Int { read.load(ordering: .relaxed) }

    /// The parts that follow, each read when it is asked for.
    struct Iterator: AsyncIteratorProtocol {
        fileprivate let parts: FileParts

        mutating func next() async throws -> ByteBuffer? { try await parts.next() }
    }

    func makeAsyncIterator() -> Iterator { Iterator(parts: self) }

    private func next() async throws(Problem) -> ByteBuffer? {
        let offset = taken
        guard offset < count else { return nil }
        do throws(FileFailure) {
            let bytes = try await reader.read(at: offset, count: Self.partBytes)
            guard !bytes.isEmpty else { throw FileFailure.ended }
            read.store(offset + bytes.count, ordering: .relaxed)
            return ByteBuffer(bytes: bytes)
        } catch {
            throw Problem(.unreadableInput, "\(path) cannot be read to its end: \(error).")
        }
    }
}
