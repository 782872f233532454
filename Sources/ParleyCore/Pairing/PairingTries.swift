/// How often devices may try something within ten minutes: each of them, and all together.
package struct PairingTries: Sendable {
    /// The time after which a try does not count any more.
    package static let period = Interval.seconds(10 * 60)

    private var tries: [(device: UInt64, at: Moment)] = []
    private let perDeviceMax: Int
    private let countMax: Int

    package init(perDeviceMax: Int, countMax: Int) {
        self.perDeviceMax = perDeviceMax
        self.countMax = countMax
    }

    /// When a device may try again; nil if it may now.
    package func allowed(to device: UInt64, at now: Moment) -> Moment? {
        let recent = tries.filter { now < $0.at + Self.period }
        let own = recent.filter { $0.device == device }
        if own.count >= perDeviceMax { return own[own.count - perDeviceMax].at + Self.period }
        guard recent.count >= countMax else { return nil }
        return recent[recent.count - countMax].at + Self.period
    }

    /// Counts a try of a device.
    package mutating func tried(_ device: UInt64, at now: Moment) {
        tries.removeAll { $0.at + Self.period <= now }
        if tries.count == countMax { tries.removeFirst() }
        tries.append((device, now))
    }

    /// Forgets the tries of a device.
    package mutating func forget(_ device: UInt64) {
        tries.removeAll { $0.device == device }
    }
}
