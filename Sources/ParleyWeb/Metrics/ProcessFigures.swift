import Foundation
import Glibc
import ParleyLoop

/// The figures of this process, from the kernel.
struct ProcessFigures: Sendable {
    let cpuSeconds: Double
    let residentBytes: Int
    let openDescriptors: Int
    let descriptorsMax: Int
    /// The start of the process, in seconds since 1970.
    let startSeconds: Double

    /// The figures of this moment; 0 for unreadable ones.
    init() {
        // Of the fields behind the name: processor time of the user and of the system, in ticks.
        let ticks = Self.fields
        let perSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
        cpuSeconds = (ticks(11) + ticks(12)) / perSecond
        startSeconds = Self.start
        let pages = Self.words("/proc/self/statm").dropFirst().first.flatMap { Int($0) } ?? 0
        residentBytes = pages * sysconf(Int32(_SC_PAGESIZE))
        let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        openDescriptors = open?.count ?? 0
        descriptorsMax = DescriptorLimit.raise()
    }

    /// The start of the process, found once: a value that wavers would look like restarts.
    private static let start: Double = {
        // The 20th field: the start of the process after that of the machine, in ticks. A sandbox
        // may hide the file with the moment at which the machine started.
        let ticks = fields(19) / Double(sysconf(Int32(_SC_CLK_TCK)))
        let sinceStart = KernelClock.sinceStart / .seconds(1) - ticks
        return Date().timeIntervalSince1970 - sinceStart
    }()

    /// Reads the fields after the name of the program, which may contain spaces.
    private static var fields: (Int) -> Double {
        let stat = (try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8)) ?? ""
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        return { fields.indices.contains($0) ? Double(fields[$0]) ?? 0 : 0 }
    }

    private static func words(_ path: String) -> [Substring] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split { $0 == " " || $0 == "\n" }
    }
}
