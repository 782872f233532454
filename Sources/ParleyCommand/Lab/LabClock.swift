import Foundation
import ParleyAPI
import ParleyCore

/// The wall clock of one host, for its node, its programs and commands on it.
///
/// It is that of the machine and an offset, which libfaketime reads from a file at each call. The
/// monotonic clock stays that of the machine.
struct LabClock: Sendable {
    private let library: String
    private let file: URL

    /// Makes a clock that is right.
    init(file: URL) throws(Problem) {
        guard let library = Self.library else {
            throw Problem(
                .labFailed,
                "The step clock needs libfaketime, which is not installed.",
                hint: "As root, run: apt-get install libfaketime"
            )
        }
        self.library = library
        self.file = file
        try set(Interval(nanoseconds: 0))
    }

    /// The words before a command that is to have this clock.
    ///
    /// The library adds a variable to the first environment in memory, and Swift programs with a
    /// longer one do not find their arguments. So a shell comes first.
    var words: [String] {
        [
            "/usr/bin/env", "LD_PRELOAD=\(library)", "FAKETIME_TIMESTAMP_FILE=\(file.path)",
            "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1", "/bin/sh", "-c",
            #"exec "$0" "$@""#,
        ]
    }

    func set(_ offset: Interval) throws(Problem) {
        let milliseconds = offset.nanoseconds / 1_000_000
        let sign = milliseconds < 0 ? "-" : "+"
        let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1_000)
        let text = "\(sign)\(seconds).\(String(rest + 1_000).dropFirst())\n"
        do {
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            throw Problem(.labFailed, "\(file.path): \(error.localizedDescription)")
        }
    }

    private static var library: String? {
        let manager = FileManager.default
        let folders = (try? manager.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return folders.sorted().map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
            .first(where: manager.fileExists)
    }
}
