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

    /// Replaces the file, all of it or nothing; anything else, as `/dev/null`, is written to.
    ///
    /// - Throws: `cannotWrite`, with the reason of the system.
    func write(_ bytes: Data) throws(Problem) {
        do {
            try bytes.write(to: URL(filePath: path), options: isReplaceable ? .atomic : [])
        } catch {
            throw Problem(
                .cannotWrite,
                "\(path) cannot be written: \(Self.reason(error)).",
                hint: "Name another file with \(option)."
            )
        }
    }

    /// Whether another file may take the place: a device or a pipe would be gone.
    private var isReplaceable: Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes.map { $0[.type] as? FileAttributeType == .typeRegular } ?? true
    }

    /// The text of the system call that failed; Foundation's own names no reason on Linux.
    static func reason(_ error: any Error) -> String {
        let code = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError
        return code.map { String(cString: strerror($0.code.rawValue)) }
            ?? error.localizedDescription
    }
}
