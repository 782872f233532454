import ParleyAPI
import ParleyCommand
import Testing

/// What `parley guests --watch` says of two lists that follow one another.
@Suite struct GuestLinesTests {
    private func guest(
        _ name: String,
        _ seat: Int,
        participant: String? = nil,
        present: Bool = true
    ) -> GuestDocument {
        GuestDocument(
            seat: seat,
            name: name,
            participant: participant ?? name,
            present: present,
            digits: "0000"
        )
    }

    @Test func changesAreToldInWords() {
        let mia = guest("Mia", 1)
        #expect(GuestLines.changes(from: [], to: [mia]) == ["Mia has taken seat 1."])
        #expect(GuestLines.changes(from: [mia], to: [mia]).isEmpty)
        let away = guest("Mia", 1, present: false)
        #expect(GuestLines.changes(from: [mia], to: [away]) == ["Mia is away."])
        #expect(GuestLines.changes(from: [away], to: [mia]) == ["Mia is back."])
        let renamed = guest("Maria", 1, participant: "Mia")
        #expect(GuestLines.changes(from: [mia], to: [renamed]) == ["Mia is called Maria now."])
        let other = guest("Tom", 1)
        let lines = GuestLines.changes(from: [mia], to: [other])
        #expect(lines == ["Tom has taken seat 1.", "Mia has no seat any more."])
    }

    /// A name is a guest's, and may have what a terminal would obey.
    @Test func namesAreMadeHarmless() {
        let lines = GuestLines.changes(from: [], to: [guest("\u{1B}[31mEve", 1)])
        #expect(lines.count == 1)
        #expect(!lines[0].contains("\u{1B}"))
    }
}
