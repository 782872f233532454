import Testing

/// Polls until the answer is not nil, for at most `limit`.
func eventually<Value: Sendable>(
    within limit: Duration = .seconds(15),
    _ what: String,
    _ ask: @Sendable () async throws -> Value?
) async throws -> Value {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while clock.now < deadline {
        if let value = try await ask() { return value }
        try await clock.sleep(for: .milliseconds(20))
    }
    return try #require(try await ask(), "\(what) did not come within \(limit)")
}
