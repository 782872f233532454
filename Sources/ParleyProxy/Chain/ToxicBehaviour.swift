/// How a kind of toxic handles one stream of one connection.
///
/// Time and random numbers come from outside, so equal calls always have equal results.
protocol ToxicBehaviour: Sendable {
    /// Puts what becomes of `item` into the line.
    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine)

    /// Takes the attributes, at first and whenever they change; what was counted stays.
    mutating func change(to toxic: Toxic, at now: ProxyTime)

    /// The mark that ends the stream here and its time, whatever arrives until then.
    var alarm: StageAlarm? { get }

    /// The most bytes that wait here before nothing more is read.
    var capacity: Int { get }

    /// Whether the connection is closed when the toxic is removed.
    var closesWhenRemoved: Bool { get }
}

/// A mark that a toxic sends at a time of its own.
struct StageAlarm: Sendable {
    let due: ProxyTime
    let mark: StreamItem
}

extension ToxicBehaviour {
    var alarm: StageAlarm? { nil }
    var capacity: Int { ChainLimits.usual }
    var closesWhenRemoved: Bool { false }
}

/// How much waits in a stage before its chain reads nothing more.
enum ChainLimits {
    /// Two reads of the largest size.
    static let usual = 128 << 10
    /// Slices and segments, each of which costs some hundred bytes however small it is.
    static let items = 1_024
    /// Enough for 16 MB/s and a second, for toxics that delay and do not slow down.
    static let delayed = 16 << 20
}
