import Dispatch
import Foundation
import ParleyCore
import ParleyKeys

/// The file `person.key`, with the common secret of the devices of one person, and `linked.json`
/// with the devices that are linked.
///
/// The first has u16 number of devices that were given the secret ‖ the first 8 bytes of the ID of
/// each ‖ the secret.
///
/// Files are written in order, off the node's queue.
final class PersonFile: Sendable {
    /// Nil for a node that keeps everything in memory.
    private let file: KeptFile?
    private let linkedFile: KeptFile?
    private let queue = DispatchQueue(label: "parley.person")

    init(_ file: KeptFile?, linked: KeptFile?) {
        self.file = file
        linkedFile = linked
    }

    /// The secret in the file; nil if there is none.
    ///
    /// - Throws: `dataDirectoryUnusable` for a file with other content.
    func read() throws(NodeError) -> KeptPerson? {
        guard let file else { return nil }
        let reason: String
        do throws(KeptFile.Failure) {
            guard let bytes = try file.read(atMost: 4_096) else { return nil }
            if let kept = KeptPerson(packed: Slice(bytes)) { return kept }
            reason = "\(file.path) is not the key of a person."
        } catch {
            reason = "\(error)"
        }
        throw Self.unusable(file.path, reason)
    }

    private static func unusable(_ path: String, _ reason: String) -> NodeError {
        .dataDirectoryUnusable(
            path: path,
            reason: reason,
            hint: "Restore it from a backup, or move it away and link your other devices again."
        )
    }

    /// The linked devices in their file, which belong to any key.
    ///
    /// - Throws: `dataDirectoryUnusable` for a file with other content.
    func readLinked() throws(NodeError) -> LinkedDevices {
        do {
            let bytes = try linkedFile?.read(atMost: LinkedDevices.bytesMax)
            return try bytes.map { try JSONDecoder().decode(LinkedDevices.self, from: Data($0)) }
                ?? LinkedDevices(of: nil)
        } catch {
            let path = linkedFile?.path ?? ""
            let isOther = error is DecodingError
            throw Self.unusable(path, isOther ? "\(path) is no list of devices." : "\(error)")
        }
    }

    /// Writes the linked devices; if that fails, conversations are shared or given back once more.
    func write(_ linked: LinkedDevices) {
        queue.async { [linkedFile] in try? Self.replace(linkedFile, with: linked) }
    }

    /// Writes the secret, and before it the linked devices; `done` is called on the queue of the
    /// files, with the error if any.
    func write(
        _ kept: KeptPerson,
        _ linked: LinkedDevices,
        _ done: @escaping @Sendable (NodeError?) -> Void
    ) {
        queue.async { [file, linkedFile] in
            do {
                try Self.replace(linkedFile, with: linked)
                try file?.replace(with: kept.packed)
                done(nil)
            } catch {
                done(.storeFailed("The key of the person is not on disk: \(error)."))
            }
        }
    }

    private static func replace(_ file: KeptFile?, with linked: LinkedDevices) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try file?.replace(with: Array(try encoder.encode(linked)) + [0x0A])
    }
}

/// The secret of a person, and the devices that may have it.
struct KeptPerson: Sendable {
    var secret: PersonSecret
    /// The first 8 bytes of the ID of each device that was offered the secret, oldest first.
    private(set) var given: [UInt64] = []

    private static let givenMax = 256

    init(_ secret: PersonSecret) { self.secret = secret }

    /// Notes that a device may get the secret; the oldest of too many is forgotten.
    mutating func give(to hint: UInt64) {
        given.removeAll { $0 == hint }
        given = given.suffix(Self.givenMax - 1) + [hint]
    }

    /// The person with another key, which no device was given yet.
    func renewed() -> KeptPerson { KeptPerson(secret.renewed()) }

    var packed: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(UInt16(given.count))
        for hint in given { bytes.appendBigEndian(hint) }
        return bytes + secret.packed
    }

    /// Reads `packed`; nil if a part is not legal.
    init?(packed: Slice) {
        guard packed.count >= 2 else { return nil }
        let count = Int(packed.bigEndian(at: 0) as UInt16)
        let start = 2 + 8 * count
        guard count <= Self.givenMax, start <= packed.count,
            let secret = PersonSecret(packed: packed[start..<packed.count])
        else { return nil }
        self.secret = secret
        given = (0..<count).map { packed.bigEndian(at: 2 + 8 * $0) }
    }
}
