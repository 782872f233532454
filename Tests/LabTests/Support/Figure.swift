import Foundation
import Testing

/// Figures that tests measure: each is printed on standard error and compared with a bound.
enum Figure {
    /// Says how long it took since `start`, and fails if that is out of all proportion.
    ///
    /// A quiet machine keeps to `target`, which is the bound of a full run; one that does other
    /// work as well must reach `bound`.
    static func check(
        _ what: String,
        since start: ContinuousClock.Instant,
        target: Duration,
        bound: Duration,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let taken = ContinuousClock.now - start
        say("\(what): \(milliseconds(taken)) ms (target \(milliseconds(target)))")
        let limit = LabNeeds.isFull ? target : bound
        try #require(taken <= limit, "\(what) took \(taken)", sourceLocation: location)
    }

    static func say(_ line: String) {
        FileHandle.standardError.write(Data("lab: \(line)\n".utf8))
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        Int(duration / .milliseconds(1))
    }
}
