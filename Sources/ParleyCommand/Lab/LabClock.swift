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
        try checkPlace()
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

    /// `ST_NOEXEC`, which Swift does not import.
    private static let noExec: UInt = 8

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
            let what = "\(installed) cannot be copied to \(library)"
            throw Problem(.labFailed, "\(what): \(error.localizedDescription)")
        }
    }

    /// Checks that the dynamic linker takes the copy: it says nothing to programs otherwise.
    private func checkPlace() throws(Problem) {
        var system = statvfs()
        let isBarred = statvfs(library, &system) == 0 && system.f_flag & Self.noExec != 0
        guard isBarred || library.contains(where: " :".contains) else { return }
        throw Problem(
            .labFailed,
            "The step clock needs a library that programs cannot load from \(library).",
            hint: "Set TMPDIR to a directory without space and colon in its path, on a file system "
                + "that is not mounted with noexec."
        )
    }

    private static var installed: String? {
        let manager = FileManager.default
        let folders = (try? manager.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return folders.sorted().map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
            .first(where: manager.fileExists)
    }
}
