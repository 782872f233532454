package import ParleyCore

/// The limits of a plan.
package enum PlanLimits {
    package static let fileBytes = 256 << 10
    package static let hosts = 16
    package static let conversations = 8
    /// The programs of one host.
    package static let programs = 8
    /// The number of steps after `repeat`, `turns` and `works` are expanded.
    package static let steps = 5_000
    package static let messagesOfBatch = 100_000
    package static let nameCharacters = 32
    /// The size of a message, in bytes.
    package static let picture = 4 << 20
    package static let time = "1d"
    /// The longest time of all pauses together, in days: a century.
    package static let days: Int64 = 36_500
    /// The least period in which a path flaps.
    package static let flapMin = Interval.milliseconds(100)
    /// The time limit of an expectation that names none.
    package static let expectationMilliseconds: Int64 = 5_000
}
