import Foundation
import ParleyAPI
import ParleyKeys
import ParleyLoop

/// A file for the output of a command, named by an option.
struct OutputFile {
    private let path: String
    private let option: String

    init(_ path: String, option: String) {
        self.path = path
        self.option = option
    }

    /// Replaces the file as a whole; a device such as `/dev/null`, or a pipe, is written to.
    ///
    /// - Throws: `cannotWrite`, with the reason of the system.
    func write(_ bytes: Data) throws(Problem) {
        do {
            if isReplaceable {
                try bytes.write(to: URL(filePath: path), options: .atomic)
            } else {
                let file = try Self.open(path)
                try Output(descriptor: file.number).write(bytes)
            }
        } catch {
            throw Self.problem(error, path, option: option)
        }
    }

    /// Looks whether the file can be written, before the work for it.
    ///
    /// - Throws: `cannotWrite`, with the reason of the system.
    func check() throws(Problem) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard access(isReplaceable ? folder : path, W_OK) != 0 else { return }
        let reason = POSIXError(.init(rawValue: errno) ?? .EIO)
        throw Self.problem(reason, path, option: option)
    }

    /// Opens the device or the pipe of that name.
    static func open(_ path: String) throws(POSIXError) -> Descriptor {
        let file = Foundation.open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return Descriptor(adopting: file)
    }

    /// The problem of a file, named by an option, that cannot be written.
    static func problem(_ error: any Error, _ path: String, option: String) -> Problem {
        if let code = code(error) { Output.endForReader(code) }
        return Problem(
            .cannotWrite,
            "\(path) cannot be written: \(reason(error)).",
            hint: "Name another file with \(option)."
        )
    }

    /// Whether the file may be replaced, unlike a device or a pipe.
    private var isReplaceable: Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes.map { $0[.type] as? FileAttributeType == .typeRegular } ?? true
    }

    /// The reason of the failed system call; Foundation's text names none on Linux.
    static func reason(_ error: any Error) -> String {
        code(error).map { String(cString: strerror($0)) } ?? error.localizedDescription
    }

    private static func code(_ error: any Error) -> Int32? {
        if let failure = error as? DraftFile.Failure { return failure.code }
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey]
        return (error as? POSIXError ?? cause as? POSIXError)?.code.rawValue
    }
}
