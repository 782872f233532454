import Foundation
import Glibc

/// The processes that another one has started, as the kernel lists them.
enum ProcessTree {
    /// The processes below that one, and it itself as the first.
    static func descendants(of process: Int32) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let parents = names.compactMap { Int32($0) }.compactMap { child -> (Int32, Int32)? in
            let line = TextFile.line(startingWith: "PPid", of: "/proc/\(child)/status")
            return line.flatMap { Int32($0) }.map { (child, $0) }
        }
        var found: [Int32] = [process]
        var index = 0
        while index < found.count {
            found += parents.filter { $0.1 == found[index] }.map(\.0)
            index += 1
        }
        return found
    }

    /// Ends this process, and all that it has started, when its standard input ends: whatever
    /// becomes of the benchmark, no node and no browser remains.
    static func endsWithInput(removing directory: String) {
        // Ctrl-C reaches the benchmark, which then closes the input.
        signal(SIGINT, SIG_IGN)
        Thread.detachNewThread {
            while readLine() != nil {}
            for child in descendants(of: getpid()).dropFirst() { kill(child, SIGKILL) }
            // A file of a process that is being killed may appear after the first try.
            let deadline = ProcessMeter.now + 5
            while FileManager.default.fileExists(atPath: directory), ProcessMeter.now < deadline {
                try? FileManager.default.removeItem(atPath: directory)
                usleep(20_000)
            }
            exit(1)
        }
    }
}
