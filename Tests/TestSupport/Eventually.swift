/// Polls until `ask` returns a value.
///
/// Pauses are of 5 ms and grow to an eighth of the time that was waited, at most 50 ms: what is
/// waited for needs the processor. Measurements name a `pause`, which does not grow.
///
/// It runs on the caller's actor, so `ask` may use that actor's state.
///
/// - Throws: `NeverCame` after `limit`, or what `ask` throws.
package func eventually<Answer>(
    _ what: String,
    within limit: Duration = .seconds(60),
    every pause: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: String = #fileID,
    line: Int = #line,
    _ ask: () async throws -> Answer?
) async throws -> Answer {
    let start = ContinuousClock.now
    let deadline = start + limit
    while case let now = ContinuousClock.now, now < deadline {
        if let answer = try await ask() { return answer }
        let grown = max(.milliseconds(5), min((now - start) / 8, .milliseconds(50)))
        try await Task.sleep(for: pause ?? grown)
    }
    if let answer = try await ask() { return answer }
    throw NeverCame(what: what, limit: limit, place: "\(fileID):\(line)")
}

/// Polls until `isSo` returns true.
///
/// - Throws: `NeverCame` after `limit`, or what `ask` throws.
package func eventually(
    _ what: String,
    within limit: Duration = .seconds(60),
    every pause: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: String = #fileID,
    line: Int = #line,
    _ isSo: () async throws -> Bool
) async throws {
    let _: Void = try await eventually(
        what,
        within: limit,
        every: pause,
        fileID: fileID,
        line: line
    ) {
        try await isSo() ? () : nil
    }
}

/// The error of a test whose condition did not become true in time.
package struct NeverCame: Error, CustomStringConvertible {
    let what: String
    let limit: Duration
    let place: String

    package var description: String { "no \(what) within \(limit), waited for at \(place)" }
}
