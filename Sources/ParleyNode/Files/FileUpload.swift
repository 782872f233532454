public import Foundation
import ParleyCore

/// A file that is handed over to a node in parts, to be offered in a conversation.
///
/// Either `Node.offer` or `Node.cancel` ends the upload.
public final class FileUpload: Sendable {
    /// The name of the conversation.
    public let conversation: String
    /// The name of the file for people.
    public let name: String
    /// The media type; may be empty.
    public let type: String
    /// The length in bytes, for which the disk has space.
    public let bytes: Int

    /// The guest who sends the file; nil for the owner of the node.
    let guest: ParticipantID?
    let writer: FileWriter
    let place: FileUploads.Place

    init(
        to conversation: String,
        named name: String,
        type: String,
        bytes: Int,
        guest: ParticipantID?,
        writer: FileWriter,
        place: FileUploads.Place
    ) {
        self.conversation = conversation
        let last = name.split(separator: "/").last.map(String.init) ?? ""
        self.name = GivenName(adapting: last, bytesMax: Limits.fileNameBytes)?.text ?? "file"
        self.type = type
        self.bytes = bytes
        self.guest = guest
        self.writer = writer
        self.place = place
    }

    /// Appends bytes; returns once they are written, so that the caller does not read ahead.
    ///
    /// - Throws: `storeFull`, `storeFailed`; `badDraft` if there are more bytes than announced.
    public func write(_ data: Data) async throws(NodeError) {
        try await writer.add(data, atMost: bytes)
    }

    /// Appends the bytes of a file on disk.
    func write(_ file: FileReader) async throws {
        var done = 0
        while done < bytes {
            let part = try await file.read(at: done, count: FileLimits.chunkBytes)
            guard !part.isEmpty else { break }
            try await write(Data(part))
            done += part.count
        }
    }

    /// Brings all bytes to the disk, as a file of that path.
    ///
    /// - Returns: the hash of the file.
    /// - Throws: `badDraft` if bytes are missing, `storeFull`, `storeFailed`.
    func finish(at path: String) async throws(NodeError) -> Bytes32 {
        guard await writer.count == bytes else {
            throw .badDraft("the file has fewer bytes than were announced")
        }
        do throws(FileFailure) {
            let hash = try await writer.finish()
            try await writer.rename(to: path)
            return hash
        } catch {
            throw NodeError(error)
        }
    }
}

extension FileWriter {
    fileprivate func add(_ data: Data, atMost most: Int) throws(NodeError) {
        guard count + data.count <= most else {
            throw .badDraft("the file has more bytes than were announced, which are \(most)")
        }
        var failure: FileFailure?
        for region in data.regions {
            region.withUnsafeBytes { bytes in
                do throws(FileFailure) { try write(bytes) } catch { failure = error }
            }
            if let failure { throw NodeError(failure) }
        }
    }
}

extension NodeError {
    /// The error of a system call on a file.
    init(_ failure: FileFailure) {
        self = failure.isLackOfSpace ? .storeFull : .storeFailed("The file: \(failure).")
    }
}
