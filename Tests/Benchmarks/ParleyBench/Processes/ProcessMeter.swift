import Glibc

/// Measures the resources that a process has used, as the kernel counts them.
struct ProcessMeter: Sendable {
    private let clock: clockid_t
    private let process: pid_t

    init(_ process: pid_t) throws(BenchError) {
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else {
            throw .system("no clock of process \(process)")
        }
        self.clock = clock
        self.process = process
    }

    /// The processor time of all threads, in user and kernel mode, in seconds.
    var processorSeconds: Double {
        Self.seconds(clock)
    }

    /// The resident memory, in kB.
    var residentKilobytes: Double {
        let text = TextFile.line(startingWith: "VmRSS", of: "/proc/\(process)/status") ?? ""
        return Double(text.prefix { $0.isNumber }) ?? 0
    }

    /// The memory that belongs to this process alone, in kB: no pages of files as they are on disk,
    /// such as code, which several processes share and the kernel can drop.
    var ownKilobytes: Double {
        let path = "/proc/\(process)/smaps_rollup"
        return ["Anonymous", "Swap"].reduce(0) { sum, name in
            let text = TextFile.line(startingWith: name + ":", of: path) ?? ""
            return sum + (Double(text.prefix { $0.isNumber }) ?? 0)
        }
    }

    /// The time of the monotonic clock, in seconds.
    static var now: Double { seconds(CLOCK_MONOTONIC) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
