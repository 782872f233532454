import Foundation
import ParleyNode
import ParleyWeb
import Testing

/// Codes, wrong tries and the file of the door for guests.
@Suite struct GuestDoorTests {
    @Test func aCodeHasNoCharactersThatLookAlike() throws {
        for text in ["ABCDEFG0", "ABCDEFGO", "ABCDEFG1", "ABCDEFGI", "ABCDEFG", "ABCDEFGHJ", ""] {
            #expect(GuestCode(text) == nil, "\(text)")
        }
        #expect(try #require(GuestCode("abcdefgh")).text == "ABCDEFGH")
    }

    @Test func twentyWrongTriesAMinuteBringAPauseThatGrows() {
        var limit = TryLimit()
        var now = ContinuousClock.now
        var pauses: [Duration] = []
        for _ in 0..<8 {
            for _ in 1..<TryLimit.wrongMax {
                limit.failed(at: now)
                #expect(limit.wait(at: now) == nil)
            }
            limit.failed(at: now)
            guard let pause = limit.wait(at: now) else { break }
            pauses.append(pause)
            now += pause
            #expect(limit.wait(at: now) == nil)
        }
        let seconds = pauses.map(\.components.seconds)
        #expect(seconds == [30, 60, 120, 120, 120, 120, 120, 120])
    }

    @Test func fewWrongTriesAMinuteBringNoPause() {
        var limit = TryLimit()
        var now = ContinuousClock.now
        for _ in 0..<100 {
            limit.failed(at: now)
            #expect(limit.wait(at: now) == nil)
            now += .seconds(4)
        }
    }

    @Test func theDoorSlowsGuessersDown() {
        let door = GuestDoor(device: "ABCDEFG-HIJKLMN", keepingIn: nil)
        let now = ContinuousClock.now
        for _ in 0..<TryLimit.wrongMax {
            #expect(door.answer(to: "22222222", at: now) == .unknown)
        }
        #expect(door.answer(to: "22222222", at: now) == .wait(seconds: 31))
        #expect(door.answer(to: "22222222", at: now + .seconds(31)) == .unknown)
    }

    @Test func aDamagedFileIsReportedAndClosesEverything() throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "parley-guests-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: file) }
        let kept = KeptFile(path: file.path)
        #expect(!GuestDoor(device: "A", keepingIn: kept).wasDamaged)
        try kept.replace(with: Array("{\"openings\":".utf8))
        #expect(GuestDoor(device: "A", keepingIn: kept).wasDamaged)
    }
}
