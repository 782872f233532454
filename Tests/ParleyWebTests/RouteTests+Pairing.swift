import ParleyNode
import TestSupport

/// The routes for pairing; another node asks each time.
extension RouteTests {
    static let pairings: [Route] = [
        Route("GET", "/pairings", 200, ["id", "device", "stage"]) { bench in
            _ = try await asked(bench)
            return "pairings"
        },
        Route(
            "POST",
            "/pairings",
            201,
            ["id", "device", "stage"],
            path: { _ in "pairings" },
            body: { [#"{"device":"\#(try await asked($0).device)","conversation":"games"}"#] }
        ),
        Route("GET", "/person", 200, ["devices"]) { _ in "person" },
        Route("GET", "/pairings/events", 200, [], type: "text/event-stream", parts: 1) { _ in
            "pairings/events"
        },
        Route("POST", "/pairings/{pairing}/confirm", 200, ["id", "stage", "digits"]) { bench in
            let asked = try await asked(bench)
            _ = try await bench.node.pair(with: asked.device, sharing: "games")
            let pairing = try await eventually("the digits") {
                await bench.node.pairings().first {
                    if case .comparing = $0.stage { true } else { false }
                }
            }
            return "pairings/\(pairing.id)/confirm"
        },
        Route("DELETE", "/pairings/{pairing}", 204, [], type: nil) { bench in
            "pairings/\(try await asked(bench).id)"
        },
    ]

    /// A pairing that another node asks for.
    private static func asked(_ bench: ControlBench) async throws -> PairingState {
        let guest = try await bench.startGuest()
        _ = try await eventually("the link") { try? await guest.node.pair(with: "bench") }
        return try await eventually("the request") {
            await bench.node.pairings().first { $0.stage == .asked(shares: false) }
        }
    }
}
