package import Foundation

/// The folders for the files of apps, one for each app.
package struct AppFolders: Sendable {
    private let directory: URL

    /// The app folders are made inside of `directory` when an app needs them.
    package init(directory: URL) {
        self.directory = directory
    }

    /// The folder of the app with the given ID, made if necessary; nil if that fails.
    package func folder(of id: String) -> URL? {
        let folder = directory.appending(path: Self.name(id))
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            return nil
        }
        return folder
    }

    /// The ID as one component of a path, different for different IDs.
    private static func name(_ id: String) -> String {
        id.utf8.enumerated().map { index, byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber)
            if isPlain || byte == UInt8(ascii: "-") { return String(character) }
            // A name that begins with a dot has a meaning of its own.
            if index > 0, byte == UInt8(ascii: ".") { return "." }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
