import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import TestSupport
import Testing

/// Offers of matches, and the ways to them.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct MatchOfferTests {
    private static let app = HostedApp(Referee.self, id: "referee", seats: 1...2)

    /// An app without a first message had a button that did nothing; so had its rematch.
    @Test func noButtonIsDead() throws {
        let table = Harness(apps: [Self.app], participants: ["ann", "ben"])
        let (ann, ben) = (try table["ann"], try table["ben"])
        try ann.open()
        #expect(!ann.screen.contains("Who wants to play?"))
        try ann.tap("Referee")
        try ben.takeSeat()
        try ann.start()
        try ben.resign()
        #expect(ann.match?.phase == .over)
        try ben.tapBubble()
        #expect(!ben.screen.contains("Rematch"))
    }

    /// Who offers a match without taking a seat begins it, and others may do so later.
    @Test func whoOffersBeginsWithoutASeat() throws {
        let table = Harness(apps: [Self.app], participants: ["ann", "ben", "cat"])
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        try ann.open()
        try ann.tap("Referee")
        #expect(throws: HarnessError.host(.cannot(.start))) { try ann.start() }
        try ben.takeSeat()
        try cat.takeSeat()
        #expect(throws: HarnessError.host(.cannot(.start))) { try cat.start() }
        try ann.start()
        for player in table.players {
            let seats = [ben.participant, cat.participant].compactMap(\.self)
            #expect(player.match?.seats.map(\.participant) == seats)
            #expect(player.match?.violations == [])
        }
        #expect(ben.match?.isMyTurn == true)
        #expect(ann.match?.choices == [.takeNextSeat])
    }

    /// Who came late had to watch for the whole evening, as a rematch has the same seats.
    @Test func whoComesLateSitsDownInTheNextMatch() throws {
        let table = Harness(apps: [Tally.app], participants: ["ann", "ben", "cat", "dan"])
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        let dan = try table["dan"]
        try ann.open()
        try ann.tap("Who wants to play?")
        #expect(ann.screen.contains("Waiting for one more player"))
        try ben.takeSeat()
        try ben.tapBubble()
        #expect(ben.screen.contains("Waiting for ann to start"))
        try ann.start()
        for player in [cat, dan] {
            try player.tapBubble()
            try player.tap("Join the next one")
        }
        try dan.tap("Only watch")
        #expect(ann.match?.waiting == [cat.participant].compactMap(\.self))
        try ben.resign()
        #expect(ann.match?.phase == .over)
        try ann.tap("New game for all")
        // Cat has waited; Ben has to say that he plays again.
        #expect(ann.match?.seats.map(\.participant) == [ann, cat].compactMap(\.participant))
        #expect(ben.match?.choices == [.takeSeat])
        try ben.takeSeat()
        try cat.leaveSeat()
        #expect(ann.match?.seats.map(\.participant) == [ann, ben].compactMap(\.participant))
        try ann.start()
        for player in table.players { #expect(player.match?.violations == []) }
        #expect(cat.match?.waiting == [])
    }

    /// Regression: only whoever had the conversation open was seated.
    @Test(arguments: [true, false])
    func whoWaitsIsSeatedThoughNobodyLooks(wasOff: Bool) throws {
        let table = Harness(apps: [Tally.app], participants: ["ann", "ben", "cat"])
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        try ann.open()
        try ann.tap("Who wants to play?")
        try ben.takeSeat()
        try ann.start()
        try cat.tapBubble()
        try cat.tap("Join the next one")
        cat.goAway()
        if !wasOff { cat.comeBack() }
        try ben.resign()
        try ann.tap("New game for all")
        if wasOff { cat.comeBack() }
        #expect(ann.match?.seats.map(\.participant) == [ann, cat].compactMap(\.participant))
    }

    /// An app that is opened from the drawer shows the match in which the person has a seat.
    @Test func theAppLeadsToTheOwnMatch() throws {
        let table = Harness(apps: [Tally.app], participants: ["ann", "ben", "cat"])
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        try ann.open()
        try ann.tap("Who wants to play?")
        try ben.takeSeat()
        try ann.start()
        try ann.tap("Add")
        ann.closeApp()
        for player in [ann, ben] {
            try player.open()
            #expect(player.screen.contains("Count 1"))
        }
        try cat.open()
        #expect(cat.screen.contains("Count 0"))
    }

    /// There is a warning before a clock runs out, also while nobody does anything.
    @Test func theLastSecondsAreTold() throws {
        let table = Harness(apps: [Tally.app], participants: ["ann", "ben"])
        let ann = try table["ann"]
        try ann.open()
        ann.controller(Tally.self)?.clock = 30
        try ann.tap("Who wants to play?")
        try table["ben"].takeSeat()
        try ann.start()
        func last() -> [Bool?] {
            let told = ann.controller(Tally.self)?.told.last
            return [told?.isHurried, told?.isLate]
        }
        #expect(last() == [false, false])
        table.pass(seconds: 21)
        #expect(last() == [true, false])
        #expect(ann.screen.contains("Hurry: until"))
        table.pass(seconds: 10)
        #expect(last() == [false, true])
    }

    /// What is shown later must be what was promised.
    @Test func aPromiseIsKeptOrNot() throws {
        let salt = "000102030405060708090a0b0c0d0e0f"
        let known = try #require(ParleyPromise("boat", salt: salt))
        #expect(known.seal == "cd83f218bef458b9d3666a53c70f19c0a8298e467d03e70239f9ebd382945c21")
        let promise = ParleyPromise("boat")
        #expect(promise.seal != known.seal, "the salt is another one")
        #expect(ParleyPromise("boat", salt: promise.salt)?.seal == promise.seal)
        #expect(ParleyPromise("coat", salt: promise.salt)?.seal != promise.seal)
        for salt in ["", "00", salt + "00", String(repeating: "g", count: 32)] {
            #expect(ParleyPromise("boat", salt: salt) == nil)
            let json = Data(#"{"text":"boat","salt":"\#(salt)"}"#.utf8)
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(ParleyPromise.self, from: json)
            }
        }
        let copy = try JSONEncoder().encode(promise)
        #expect(try JSONDecoder().decode(ParleyPromise.self, from: copy) == promise)
    }
}

/// A game that a button of its own offers, without a seat for who presses it.
private final class Referee: MSMessagesAppViewController, ParleyApp {
    override var body: ParleyView {
        .button("Referee") {
            let message = MSMessage(session: MSSession())
            message.url = URL(string: "?")
            self.activeConversation?.parley?.offerMatch(message, seats: 1...2, watching: true)
            self.activeConversation?.send(message)
        }
    }
}
