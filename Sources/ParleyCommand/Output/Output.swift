import Foundation
import Synchronization

/// Standard output or standard error: unbuffered, and coloured only on a terminal.
struct Output: Sendable {
    /// A style of text on a terminal.
    enum Style: String, Sendable {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    static let standard = Output(descriptor: STDOUT_FILENO)
    static let error = Output(descriptor: STDERR_FILENO)

    let descriptor: Int32
    let isTerminal: Bool
    let usesColour: Bool

    init(descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        let environment = ProcessInfo.processInfo.environment
        usesColour =
            isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// The columns of the terminal; 100 if the output is not a terminal.
    var width: Int {
        var size = winsize()
        guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else {
            return 100
        }
        return Int(size.ws_col)
    }

    func style(_ style: Style, _ text: String) -> String {
        usesColour && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Writes a line; ends the process of a command if the output has no reader.
    func line(_ text: String = "") {
        bytes(Data((text + "\n").utf8))
    }

    /// Writes all bytes before returning; ends the process as `line` does.
    func bytes(_ data: Data) {
        do throws(POSIXError) { try write(data) } catch { outputFailed(error.code.rawValue) }
    }

    /// Writes all bytes before returning; Foundation's own calls hide the cause of a failure.
    func write(_ data: Data) throws(POSIXError) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wanted, 1, -1)
            } else if errno != EINTR {
                throw POSIXError(.init(rawValue: errno) ?? .EIO)
            }
        }
    }

    /// Ends the process by SIGPIPE, as is usual in a pipe, if the reader has ended, as `head` does.
    static func endForReader(_ code: Int32) {
        if code == EPIPE { EndSignals.End(number: SIGPIPE).raise() }
    }

    /// Ends the process of a command whose output cannot be written; a node continues.
    private func outputFailed(_ code: Int32) {
        guard descriptor == STDOUT_FILENO, !Self.isService.withLock({ $0 }) else { return }
        Self.endForReader(code)
        Output.error.line("error: Standard output: \(String(cString: strerror(code))).")
        exit(74)
    }
}
