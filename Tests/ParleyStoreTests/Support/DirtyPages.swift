import Foundation
import TestSupport

/// The pages of a file that the kernel has yet to write to the disk, by `cachestat`, which Linux
/// has since 6.5.
enum DirtyPages {
    private struct Range {
        var offset: UInt64 = 0
        /// The whole file.
        var length: UInt64 = 0
    }

    private struct Counts {
        var cached: UInt64 = 0
        var dirty: UInt64 = 0
        var writeback: UInt64 = 0
        var evicted: UInt64 = 0
        var recentlyEvicted: UInt64 = 0
    }

    /// `syscall`, which Swift does not import, as it takes any number of arguments.
    private typealias SystemCall =
        @convention(c) (
            Int, Int, UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int
        ) -> Int

    /// The number of the system call on x86-64 and arm64.
    private static let cachestat = 451

    /// Whether the kernel counts a page that was just written.
    static let areCounted: Bool = {
        guard let scratch = try? Scratch() else { return false }
        return withExtendedLifetime(scratch) {
            let path = scratch.path + "/page"
            let file = open(path, O_WRONLY | O_CREAT, 0o600)
            let isWritten = write(file, [UInt8](repeating: 1, count: 4_096), 4_096) == 4_096
            close(file)
            return isWritten && count(of: path) == 1
        }
    }()

    /// The dirty pages of a file, those included that are being written; nil if nobody counts them.
    static func count(of path: String) -> UInt64? {
        guard let symbol = dlsym(nil, "syscall") else { return nil }
        let call = unsafeBitCast(symbol, to: SystemCall.self)
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var range = Range()
        var counts = Counts()
        let result = call(cachestat, Int(file), &range, &counts, 0)
        return result == 0 ? counts.dirty + counts.writeback : nil
    }
}
