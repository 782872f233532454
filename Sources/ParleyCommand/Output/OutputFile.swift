import Foundation
import ParleyAPI

/// A file that an option names, and that a command writes.
struct OutputFile {
    private let path: String
    private let option: String

    init(_ path: String, option: String) {
        self.path = path
        self.option = option
    }

    /// Replaces the file, all of it or nothing.
    ///
    /// - Throws: `cannotWrite`, with the reason of the system.
    func write(_ bytes: Data) throws(Problem) {
        do {
            try bytes.write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Problem(
                .cannotWrite,
                "\(path) cannot be written: \(Self.reason(error)).",
                hint: "Name another file with \(option)."
            )
        }
    }

    /// The text of the system call that failed; Foundation's own names no reason on Linux.
    static func reason(_ error: any Error) -> String {
        let code = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError
        return code.map { String(cString: strerror($0.code.rawValue)) }
            ?? error.localizedDescription
    }
}
