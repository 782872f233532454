import Dispatch
import Foundation

/// Watches for the end of standard input, for a node that must not outlive its parent process.
enum InputLeash {
    /// Sends this process SIGTERM when the other end of the pipe on standard input is closed.
    ///
    /// A read blocks on a queue of its own. A Dispatch source would not do: libdispatch frees an
    /// object in use when the pipe of a source hangs up (swift-corelibs-libdispatch issue 949).
    static func endProcessWithInput() {
        DispatchQueue(label: "parley.leash").async {
            var bytes = [UInt8](repeating: 0, count: 1_024)
            while true {
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count == 0 || (count < 0 && errno != EINTR) { break }
            }
            // The service group handles the signal and stops all services in order.
            kill(getpid(), SIGTERM)
        }
    }
}
