package import Foundation

/// The directory where apps find the sounds and movies of messages as files.
package struct MediaFiles: Sendable {
    private let directory: URL
    /// Removes the directory when the last copy of this value is released.
    private var owner: Owner?

    private final class Owner: Sendable {
        let directory: URL

        init(_ directory: URL) { self.directory = directory }

        deinit {
            // The directory may not exist. If it cannot be removed, it stays in the temporary
            // directory.
            try? FileManager.default.removeItem(at: directory)
        }
    }

    /// The most files in the directory; the oldest are removed first.
    static let countMax = 64

    package init(directory: URL) {
        self.directory = directory
    }

    /// A new directory with a random name in the temporary directory, which is removed when the
    /// last copy of this value is released.
    package static var temporary: MediaFiles {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "parley-media-\(UUID().uuidString)")
        var files = MediaFiles(directory: directory)
        files.owner = Owner(directory)
        return files
    }

    /// Keeps the sound or movie of a message in a file called `name`, and returns the file.
    package func keep(
        _ bytes: Data,
        name: String,
        fileExtension: String
    ) throws(MessageFault) -> URL {
        let file = directory.appending(path: "\(name).\(fileExtension)")
        try makeDirectory()
        guard !FileManager.default.fileExists(atPath: file.path) else { return file }
        do {
            try removeOldest()
            try bytes.write(to: file, options: .atomic)
        } catch {
            throw .mediaNotKept("\(error)")
        }
        return file
    }

    /// Makes the directory, which a cleaner of the temporary directory may have removed.
    ///
    /// Another user may have made a directory of the same name there, which is refused.
    private func makeDirectory() throws(MessageFault) {
        guard mkdir(directory.path, 0o700) != 0 else { return }
        let code = errno
        var found = stat()
        guard code == EEXIST, lstat(directory.path, &found) == 0 else {
            throw .mediaNotKept("\(directory.path): \(String(cString: strerror(code)))")
        }
        guard found.st_mode & S_IFMT == S_IFDIR, found.st_uid == geteuid() else {
            throw .mediaNotKept("\(directory.path) is not a directory of this user")
        }
    }

    private func removeOldest() throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: directory,
            includingPropertiesForKeys: [.contentModificationDateKey]
        )
        guard files.count >= Self.countMax else { return }
        let dated = try files.map { file in
            let values = try file.resourceValues(forKeys: [.contentModificationDateKey])
            return (file: file, date: values.contentModificationDate ?? .distantPast)
        }
        let oldest = dated.sorted { $0.date < $1.date }.prefix(files.count - Self.countMax + 1)
        for entry in oldest { try FileManager.default.removeItem(at: entry.file) }
    }
}
