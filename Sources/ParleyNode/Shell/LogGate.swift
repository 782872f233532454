/// Limits the log lines per minute: equal ones, and all together that strangers cause.
package struct LogGate {
    private struct Window {
        var start: UInt64
        var passed = 0
        var leftOut = 0

        /// Whether another line may pass at a moment; counts it in either case.
        mutating func pass(_ passedMax: Int) -> Bool {
            guard passed < passedMax else {
                leftOut += 1
                return false
            }
            passed += 1
            return true
        }

        func isOver(at seconds: UInt64) -> Bool { seconds >= start + 60 }
    }

    private var windows: [String: Window] = [:]
    private var strangers: Window?

    /// Equal lines that pass per minute.
    static let perMinute = 6
    /// Lines that pass per minute because of strangers, whatever they say and about whom.
    ///
    /// A stranger is another one for each key that it makes, so equal lines do not limit it.
    package static let strangersPerMinute = 60
    /// Different lines that are counted at a time; beyond that, all counts are reset.
    static let countMax = 1_024

    package init() {}

    /// Whether to write `line`: returns how many equal lines were left out before it, or nil if it
    /// is left out too.
    package mutating func pass(_ line: String, isByStranger: Bool, at seconds: UInt64) -> Int? {
        if isByStranger, !passStranger(at: seconds) { return nil }
        if windows[line] == nil, windows.count >= Self.countMax { windows = [:] }
        var window = windows[line] ?? Window(start: seconds)
        var leftOut = 0
        if window.isOver(at: seconds) {
            leftOut = window.leftOut
            window = Window(start: seconds)
        }
        let isPassed = window.pass(Self.perMinute)
        windows[line] = window
        return isPassed ? leftOut : nil
    }

    /// How many lines because of strangers were left out in a minute that is over; each is returned
    /// once, 0 if there are none.
    package mutating func takeStrangersLeftOut(at seconds: UInt64) -> Int {
        guard let window = strangers, window.isOver(at: seconds) else { return 0 }
        strangers = nil
        return window.leftOut
    }

    private mutating func passStranger(at seconds: UInt64) -> Bool {
        var window = strangers ?? Window(start: seconds)
        defer { strangers = window }
        return window.pass(Self.strangersPerMinute)
    }
}
