import Foundation
import ParleyLoop

/// The directory with the offered and accepted files of a node, each named by its session.
///
/// Calls wait for the disk, on a queue of their own.
actor FileFolder {
    private nonisolated let executor = QueueExecutor(label: "parley.files")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    nonisolated let path: String

    /// What the directory has of a file.
    enum Kind: String, CaseIterable {
        case whole = ""
        /// The beginning of a file that was accepted.
        case part = ".part"
        /// A mark without content: the file was declined.
        case declined = ".declined"
    }

    private static let draftSuffix = ".new"

    init(path: String) {
        self.path = path
    }

    /// The path of what there is of a file.
    nonisolated func path(of session: SessionID, _ kind: Kind = .whole) -> String {
        "\(path)/\(session)\(kind.rawValue)"
    }

    /// A path for a file that is being handed over, which belongs to no session yet.
    nonisolated func draftPath() -> String { "\(path)/\(UUID().uuidString)\(Self.draftSuffix)" }

    /// Makes the directory, removes drafts that a crash has left, and lists the rest.
    func open() -> [(session: SessionID, kind: Kind, bytes: Int)] {
        mkdir(path, 0o700)
        // In a directory that cannot be read, there is nothing to go on with.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().compactMap { name in
            guard let uuid = UUID(uuidString: String(name.prefix(36))),
                let kind = Kind(rawValue: String(name.dropFirst(36)))
            else {
                if name.hasSuffix(Self.draftSuffix) { unlink("\(path)/\(name)") }
                return nil
            }
            var status = stat()
            guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                return nil
            }
            return (SessionID(uuid), kind, Int(status.st_size))
        }
    }

    /// Does some work on the queue of the directory, after all earlier work.
    nonisolated func enqueue(_ work: @escaping @Sendable (isolated FileFolder) -> Void) {
        executor.queue.async { self.assumeIsolated(work) }
    }

    /// Removes the mark that a file was declined.
    func remove(markOf session: SessionID) { unlink(path(of: session, .declined)) }

    /// Removes everything that there is of a file.
    func remove(_ session: SessionID) {
        for kind in Kind.allCases { unlink(path(of: session, kind)) }
    }

    /// Removes everything that there is of a file, after what its writer still has to do.
    nonisolated func remove(
        _ session: SessionID,
        after writer: FileWriter?,
        _ done: @escaping @Sendable (()) -> Void
    ) {
        let remove: @Sendable () -> Void = {
            self.enqueue { folder in
                folder.remove(session)
                done(())
            }
        }
        if let writer { writer.enqueue { _ in remove() } } else { remove() }
    }

    /// Leaves only the mark that a file was declined.
    func decline(_ session: SessionID) {
        remove(session)
        let mark = Foundation.open(path(of: session, .declined), O_CREAT | O_WRONLY, 0o600)
        if mark >= 0 { close(mark) }
    }

    /// The bytes that the disk has free for this user; nil if the disk does not say.
    func freeBytes() -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(
                by: UInt64(status.f_frsize)
            ).partialValue
        )
    }
}
