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
        self.file = file
        library = file.appendingPathExtension("so").path
        try copyLibrary()
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

    /// The functions of libfaketime that take moments of the monotonic clock for moments of the
    /// wall clock: with those functions, sleeps and timers are as far off as the wall clock.
    private static let wrong = [
        "clock_nanosleep", "timerfd_settime", "timerfd_gettime", "timer_settime",
    ]

    /// Makes a copy of libfaketime without the wrong functions, whose names begin with another
    /// letter in the copy: programs then find the functions of the C library.
    private func copyLibrary() throws(Problem) {
        guard let installed = Self.installed else {
            throw Problem(
                .labFailed,
                "The step clock needs libfaketime, which is not installed.",
                hint: "As root, run: apt-get install libfaketime"
            )
        }
        do {
            var bytes = try Data(contentsOf: URL(filePath: installed))
            for name in Self.wrong {
                // The table of names comes before all other texts.
                let found = bytes.range(of: Data("\0\(name)\0".utf8))
                if let found { bytes[found.lowerBound + 1] = UInt8(ascii: "_") }
            }
            try bytes.write(to: URL(filePath: library))
        } catch {
            throw Problem(.labFailed, "\(installed): \(error.localizedDescription)")
        }
    }

    private static var installed: String? {
        let manager = FileManager.default
        let folders = (try? manager.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return folders.sorted().map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
            .first(where: manager.fileExists)
    }
}
