import ParleyCore
import Testing

/// What stands in additions of exchanges.
@Suite struct ExchangeTests {
    private static let game = SessionUUID(Bytes16(1, 2))
    private static let people = (1...16).map { ParticipantID(Bytes16($0, 1)) }
    private static let dot = Dot(origin: OriginID(Bytes16(3, 4)), sequence: 5)

    @Test(arguments: [
        Exchange.offer(to: [people[0]]), .offer(to: Array(people.prefix(15))), .answer(to: dot),
    ])
    func contentsAreReadAsWritten(exchange: Exchange) throws {
        var kind = SideMessage.Kind.exchangeAnswer
        if case .offer = exchange { kind = .exchange }
        for data in [[], [1, 2, 3] as [UInt8]] {
            let content = exchange.content(with: data)
            let side = SideMessage(to: Self.game, kind, content: content)
            let read = try #require(Exchange(side))
            #expect(read == exchange)
            #expect(Array(content.bytes.dropFirst(read.headBytes)) == data)
        }
    }

    @Test func eachHasAnsweredTheOwnOffer() {
        let offers = [5, 6].map { Dot(origin: Self.dot.origin, sequence: $0) }
        var exchanges = GameExchanges()
        for (seat, offer) in offers.enumerated() {
            let head = Dot(origin: OriginID(Self.people[seat].value), sequence: 1)
            let answer = Exchange.answer(to: offer)
            exchanges.place(answer, head, of: Int32(seat), slot: 0, by: Self.people[seat])
        }
        let answered = offers.map { offer in
            Self.people.prefix(2).map { exchanges.hasAnswered($0, offer) }
        }
        #expect(answered == [[true, false], [false, true]])
    }

    @Test(
        arguments: [
            (SideMessage.Kind.exchange, 0, []), (.exchange, 0, [0]), (.exchange, 0, [1, 2, 3]),
            (.exchange, 0, [16] + [UInt8](repeating: 1, count: 256)),
            (.exchange, 1, [1] + [UInt8](repeating: 1, count: 16)),
            (.exchangeAnswer, 0, [UInt8](repeating: 0, count: 23)),
            (.answer, 0, [1] + [UInt8](repeating: 1, count: 16)),
        ] as [(SideMessage.Kind, UInt64, [UInt8])]
    )
    func whatIsNoExchangeIsNone(kind: SideMessage.Kind, slot: UInt64, content: [UInt8]) {
        let side = SideMessage(to: Self.game, kind, slot: slot, content: Slice(content))
        #expect(Exchange(side) == nil)
    }
}
