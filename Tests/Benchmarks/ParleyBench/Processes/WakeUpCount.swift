import Foundation

/// Counts how often a process wakes up, by looking again and again how often each of its threads
/// has given up its processor to wait for something.
///
/// A thread that ends takes its number along, so `look` has to be called often.
struct WakeUpCount {
    /// The time between two looks, in which all wake-ups count as one: the processor does not get
    /// back to a deep sleep in between.
    static let interval = Duration.milliseconds(10)

    private let process: Int32
    private var known: [String: Int] = [:]
    /// The intervals in which a thread was woken.
    private(set) var count = 0
    /// How often threads were woken.
    private(set) var countOfThreads = 0

    init(_ process: Int32) {
        self.process = process
        known = numbers()
    }

    mutating func look() {
        let present = numbers()
        var woken = 0
        for (thread, number) in present { woken += number - (known[thread] ?? 0) }
        known = present
        if woken > 0 { count += 1 }
        countOfThreads += woken
    }

    private func numbers() -> [String: Int] {
        let tasks = "/proc/\(process)/task"
        // A process that has ended has no threads.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        var numbers: [String: Int] = [:]
        for name in names {
            let path = "\(tasks)/\(name)/status"
            let text = TextFile.line(startingWith: "voluntary_ctxt_switches", of: path)
            numbers[name] = text.flatMap { Int($0) }
        }
        return numbers
    }
}
