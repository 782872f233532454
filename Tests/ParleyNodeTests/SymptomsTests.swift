import Foundation
import ParleyNode
import ParleyTransport
import Testing

/// What people are told of visits and of clocks that differ.
@Suite struct SymptomsTests {
    private let now = Date(timeIntervalSince1970: 1_000_000)
    private let anna = Participant(id: UUID(), device: "AAAA", name: "Anna")
    private let bert = Participant(id: UUID(), device: "BBBB", name: "Bert")

    @Test func onlyAnotherMachineVisits() throws {
        var symptoms = Symptoms()
        symptoms.visited(from: try SocketAddress(parsing: "127.0.0.1:9"), at: now)
        #expect(symptoms.visit == nil)
        symptoms.visited(from: try SocketAddress(parsing: "192.0.2.1:9"), at: now)
        #expect(symptoms.visit == Visit(address: "192.0.2.1:9", at: now))
    }

    /// The clock of a device is noted once, until the device shows otherwise.
    ///
    /// Regression: two devices by turns were noted at every message, as with a clock here that is
    /// behind, and filled the log.
    @Test func aClockIsNewsOnce() {
        var symptoms = Symptoms()
        func shown(_ seconds: Double, _ sender: Participant) -> String? {
            symptoms.shown(sentAt: now.addingTimeInterval(seconds), by: sender, at: now)?.device
        }
        #expect(shown(0, anna) == nil)
        #expect(shown(600, anna) == "AAAA")
        #expect(shown(660, anna) == nil, "known")
        #expect(shown(0, bert) == nil)
        #expect(shown(600, bert) == "BBBB")
        #expect(shown(600, anna) == nil, "known as well")
        #expect(shown(600, bert) == nil)
        #expect(symptoms.ahead(at: now)?.device == "BBBB")
        #expect(shown(0, bert) == nil)
        #expect(symptoms.ahead(at: now)?.device == "AAAA", "that one is ahead still")
        #expect(symptoms.ahead(at: now.addingTimeInterval(601)) == nil, "that time has come")
        #expect(shown(600, bert) == "BBBB", "it was right in between")
    }

    @Test func onlySoManyClocksAreNoted() {
        var symptoms = Symptoms()
        let noted = (0..<Symptoms.aheadsMax + 4).compactMap { number in
            let sender = Participant(id: UUID(), device: "DEVICE\(number)", name: nil)
            return symptoms.shown(sentAt: now.addingTimeInterval(600), by: sender, at: now)
        }
        #expect(noted.count == Symptoms.aheadsMax)
    }
}
