import Foundation
import Glibc

/// The figures of this process, as the kernel gives them.
struct ProcessFigures: Sendable {
    let cpuSeconds: Double
    let residentBytes: Int
    let openDescriptors: Int
    let descriptorsMax: Int
    /// The start of the process, in seconds since 1970.
    let startSeconds: Double

    /// The figures of this moment; 0 for what cannot be read.
    init() {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let time = { (value: timeval) in Double(value.tv_sec) + Double(value.tv_usec) / 1e6 }
        cpuSeconds = time(usage.ru_utime) + time(usage.ru_stime)
        let pages = Self.words("/proc/self/statm").dropFirst().first.flatMap { Int($0) } ?? 0
        residentBytes = pages * sysconf(Int32(_SC_PAGESIZE))
        let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        openDescriptors = open?.count ?? 0
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        descriptorsMax = Int(clamping: limit.rlim_cur)
        startSeconds = Self.start
    }

    /// The start, from its ticks after that of the machine.
    private static let start: Double = {
        // The name of the program, in parentheses, may have spaces.
        let stat = (try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8)) ?? ""
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = fields.count > 19 ? Double(fields[19]) ?? 0 : 0
        // A sandbox may hide the file with the moment at which the machine started.
        var uptime = timespec()
        clock_gettime(CLOCK_BOOTTIME, &uptime)
        let boot = Date().timeIntervalSince1970 - Double(uptime.tv_sec)
        return boot + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    private static func words(_ path: String) -> [Substring] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split { $0 == " " || $0 == "\n" }
    }
}
