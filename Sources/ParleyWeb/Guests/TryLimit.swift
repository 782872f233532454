/// Slows down whoever guesses codes, from all addresses together.
///
/// Addresses do not count: a guesser can have many, and an honest phone gets a new one with another
/// Wi-Fi.
package struct TryLimit: Sendable {
    /// The end of the minute in which the wrong tries were made.
    private var minuteEnd: ContinuousClock.Instant?
    private var wrong = 0
    private var pauseEnd: ContinuousClock.Instant?
    private var pauses = 0

    /// The wrong tries of a minute before a pause.
    package static let wrongMax = 20
    /// The first pause, which doubles with each further one, up to the longest.
    ///
    /// Codes of 40 bits withstand guessing at that pace, and nobody can keep guests out for long.
    package static let pause = Duration.seconds(30)
    package static let longestPause = Duration.seconds(120)

    package init() {}

    /// The rest of a pause; nil if there is none.
    package func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard let pauseEnd, now < pauseEnd else { return nil }
        return now.duration(to: pauseEnd)
    }

    /// Notes a wrong try.
    package mutating func failed(at now: ContinuousClock.Instant) {
        if minuteEnd.map({ $0 <= now }) ?? true {
            // A quiet hour forgives the earlier pauses.
            if let minuteEnd, now - minuteEnd > .seconds(3_600) { pauses = 0 }
            (minuteEnd, wrong) = (now + .seconds(60), 0)
        }
        wrong += 1
        guard wrong >= Self.wrongMax else { return }
        let length = Self.pause * (1 << min(pauses, 10))
        pauseEnd = now + min(length, Self.longestPause)
        pauses += 1
        wrong = 0
    }
}
