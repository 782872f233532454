package import Foundation
import Glibc
import ParleyAPI

extension ControlSocket {
    /// Returns the path to listen on, without an old socket; the caller must have locked the data
    /// directory.
    ///
    /// Only this user may enter the directory of the path, so nobody else can connect, whatever the
    /// mode of the socket is.
    package static func prepare(inDataDirectory directory: URL) throws -> String {
        let former = path(inDataDirectory: directory)
        unlink(former)
        let path = directory.appending(path: socketName).path
        guard path.utf8.count > pathBytesMax else { return path }
        // The directory that an earlier start made for its socket is empty now.
        if former != path { rmdir(URL(fileURLWithPath: former).deletingLastPathComponent().path) }
        let other = try makeDirectory().appending(path: socketName).path
        let file = directory.appending(path: pathFileName)
        try Data(other.utf8).write(to: file, options: .atomic)
        return other
    }

    /// A new directory with a short path, like data directories with the mode 0700.
    private static func makeDirectory() throws -> URL {
        let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? "/tmp"
        let directory = URL(fileURLWithPath: runtime)
            .appending(path: "parley-\(UUID().uuidString.prefix(13))")
        guard mkdir(directory.path, 0o700) == 0 else {
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [
                    NSFilePathErrorKey: directory.path,
                    NSUnderlyingErrorKey: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO),
                ]
            )
        }
        return directory
    }
}
