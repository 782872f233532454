import Foundation
import Glibc
import ParleyLoop

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
        // Of the fields behind the name: the processor time of the user and of the system, and the
        // start of the process after that of the machine, in ticks.
        let ticks = Self.fields
        let perSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
        cpuSeconds = (ticks(11) + ticks(12)) / perSecond
        // A sandbox may hide the file with the moment at which the machine started.
        let sinceStart = KernelClock.sinceStart / .seconds(1) - ticks(19) / perSecond
        startSeconds = Date().timeIntervalSince1970 - sinceStart
        let pages = Self.words("/proc/self/statm").dropFirst().first.flatMap { Int($0) } ?? 0
        residentBytes = pages * sysconf(Int32(_SC_PAGESIZE))
        let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        openDescriptors = open?.count ?? 0
        descriptorsMax = DescriptorLimit.raise()
    }

    /// Reads the fields behind the name of the program, which may have spaces in it.
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
