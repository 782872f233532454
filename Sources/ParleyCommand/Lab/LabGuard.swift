import Foundation
import Glibc
import ParleyAPI

/// A child process that removes the lab when this process ends, in whatever way.
struct LabGuard: Sendable {
    private let child: ChildProgram
    /// The child waits until this descriptor is closed.
    private let leash: Int32

    /// The time limit for the removal.
    private static let patience = Duration.seconds(30)

    /// Starts the guard of a lab, a directory, and the file systems mounted in it.
    init(_ script: LabScript, directory: URL) throws {
        var ends: [Int32] = [0, 0]
        // If a node inherited an end, the guard would wait for that node too.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw Problem(.labFailed, "socketpair: \(String(cString: strerror(errno)))")
        }
        let command = """
            cat >/dev/null
            "$0" -p "$1" down
            for mount in "$2"/*/; do umount "$mount" 2>/dev/null; done
            rm -rf "$2"
            """
        child = try ChildProgram(
            ["/bin/sh", "-c", command, script.path, script.prefix, directory.path],
            environment: LabProgram.environment,
            input: .descriptor(ends[0]),
            output: "/dev/null",
            errors: "/dev/null",
            failure: .labFailed
        )
        close(ends[0])
        leash = ends[1]
    }

    /// Removes the lab and returns when it is removed.
    func letGo() async {
        close(leash)
        _ = await child.end(within: Self.patience)
    }
}
