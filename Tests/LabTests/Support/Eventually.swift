import Foundation
import Testing

/// Asks again and again until the answer is not nil; a failure after `limit`.
func eventually<Value>(
    _ what: String,
    within limit: Duration = .seconds(15),
    every pause: Duration = .milliseconds(10),
    at location: SourceLocation = #_sourceLocation,
    _ ask: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if let value = try await ask() { return value }
        try await Task.sleep(for: pause)
    }
    return try #require(try await ask(), "no \(what) within \(limit)", sourceLocation: location)
}

/// Asks again and again until it is so; a failure after `limit`.
func eventually(
    _ what: String,
    within limit: Duration = .seconds(15),
    at location: SourceLocation = #_sourceLocation,
    _ isSo: () async throws -> Bool
) async throws {
    _ = try await eventually(what, within: limit, at: location) {
        try await isSo() ? true : nil
    }
}

/// What a test measured, said on standard error and held to a bound.
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
