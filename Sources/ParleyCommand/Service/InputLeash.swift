import Dispatch
import Foundation

/// The end of standard input, for a node that must not outlive whoever started it.
enum InputLeash {
    /// Sends this process SIGTERM when the other side of the pipe on standard input is closed.
    ///
    /// A blocking read, for as long as the process lives: libdispatch forgets a note that it still
    /// uses when a source's pipe hangs up (swift-corelibs-libdispatch issue 949).
    static func endProcessWithInput() {
        DispatchQueue(label: "parley.leash").async {
            var bytes = [UInt8](repeating: 0, count: 1_024)
            while true {
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count == 0 || (count < 0 && errno != EINTR) { break }
            }
            // The one owner of signals stops everything in order.
            kill(getpid(), SIGTERM)
        }
    }
}
