import ParleyCore
import Testing

struct SessionsInFlightTests {
    @Test func sessionIsFreeOnceItsPositionIsConfirmed() {
        var inFlight = SessionsInFlight()
        inFlight.pushed(3, at: 10)
        inFlight.pushed(130, at: 11)
        #expect(inFlight.contains(3))
        #expect(inFlight.contains(130))
        #expect(!inFlight.contains(64))
        inFlight.confirmed(upTo: 10)
        #expect(!inFlight.contains(3))
        #expect(inFlight.contains(130))
        inFlight.confirmed(upTo: 99)
        #expect(!inFlight.contains(130))
    }

    @Test func longFlightsAreForgottenInOrder() {
        var inFlight = SessionsInFlight()
        for session in 0..<Int32(5_000) { inFlight.pushed(session, at: UInt64(session) + 1) }
        inFlight.confirmed(upTo: 4_000)
        #expect(!inFlight.contains(3_999))
        #expect(inFlight.contains(4_000))
    }
}
