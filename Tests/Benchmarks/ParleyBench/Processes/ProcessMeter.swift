import Glibc

/// What a process has used so far, as the kernel counts it.
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

    /// Of all its threads, in user and kernel, in seconds.
    var processorSeconds: Double {
        Self.seconds(clock)
    }

    /// What of its memory is in RAM, in kB.
    var residentKilobytes: Double {
        let text = TextFile.line(startingWith: "VmRSS", of: "/proc/\(process)/status") ?? ""
        return Double(text.prefix { $0.isNumber }) ?? 0
    }

    /// The monotonic clock, in seconds.
    static var now: Double { seconds(CLOCK_MONOTONIC) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
