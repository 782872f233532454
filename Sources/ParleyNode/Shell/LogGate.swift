/// Limits the log lines per minute: equal lines, and all lines that strangers cause.
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
    /// Lines per minute that strangers cause, whatever their content.
    ///
    /// A stranger can make new keys at will, so the limit of equal lines is not enough.
    package static let strangersPerMinute = 60
    /// Different lines that are counted at a time; beyond this number, all counts are reset.
    static let countMax = 1_024

    package init() {}

    /// How many equal lines were left out before `line`, which may pass; nil to leave it out too.
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

    /// The lines of strangers left out in a past minute, returned once; 0 if there are none.
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
