import ParleyCore
import Testing

/// The steps of a history of wants, each with its answer.
extension WantTableTests {
    /// Inputs of one table, each with its answer.
    struct History: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [Step]

        init(_ name: String, _ steps: Step...) {
            self.name = name
            self.steps = steps
        }

        var testDescription: String { name }
    }

    /// A request for the envelope with a sequence, of a link.
    struct Ask: Sendable, Equatable {
        let sequence: UInt64
        let link: UInt64

        init(_ sequence: UInt64, of link: UInt64) {
            self.sequence = sequence
            self.link = link
        }
    }

    struct Answer: Sendable, Equatable {
        var asksNow = false
        var asks: [Ask] = []
        var deadline: Moment?
        /// Nil where it does not matter.
        var count: Int?
    }

    struct Step: Sendable {
        enum Input: Sendable {
            case announced(UInt64, by: UInt64)
            case expected(UInt64, from: UInt64, announcedBy: UInt64)
            case settled(UInt64)
            case notFound(UInt64, from: UInt64)
            case closed(UInt64, other: UInt64?)
            case look(news: [UInt64: Int64])
        }

        let input: Input
        let time: Int64
        let answer: Answer

        func perform(on table: inout WantTable) -> Answer {
            let now = Moment(milliseconds: time)
            var result = Answer()
            switch input {
            case .announced(let sequence, let holder):
                result.asksNow = table.announced(HaveEntry(sequence), by: LinkID(holder), at: now)
            case .expected(let sequence, let author, let holder):
                table.expected(
                    HaveEntry(sequence),
                    from: LinkID(author),
                    announcedBy: LinkID(holder),
                    at: now
                )
            case .settled(let sequence): table.settled(HaveEntry(sequence).name)
            case .notFound(let sequence, let holder):
                table.notFound(HaveEntry(sequence).name, from: LinkID(holder), at: now)
            case .closed(let link, let other):
                table.linkClosed(LinkID(link), other: other.map(LinkID.init), at: now)
            case .look(let news):
                let pairs = news.map { (LinkID($0.key), Moment(milliseconds: $0.value)) }
                let overdue = table.overdue(at: now, news: Dictionary(uniqueKeysWithValues: pairs))
                result.asks = overdue.map { Ask($0.entry.dot.sequence, of: $0.holder.value) }
            }
            result.deadline = table.deadline
            result.count = answer.count == nil ? nil : table.count
            return result
        }
    }
}

extension WantTableTests.Step {
    private init(_ input: Input, at time: Int64, _ answer: WantTableTests.Answer) {
        self.input = input
        self.time = time
        self.answer = answer
    }

    private static func answer(
        asksNow: Bool = false,
        asks: [WantTableTests.Ask] = [],
        _ deadline: Int64?,
        _ count: Int?
    ) -> WantTableTests.Answer {
        WantTableTests.Answer(
            asksNow: asksNow,
            asks: asks,
            deadline: deadline.map(Moment.init(milliseconds:)),
            count: count
        )
    }

    static func announced(
        _ sequence: UInt64,
        by holder: UInt64,
        at time: Int64,
        asksNow: Bool,
        deadline: Int64?,
        count: Int? = nil
    ) -> Self {
        let answer = answer(asksNow: asksNow, deadline, count)
        return Self(.announced(sequence, by: holder), at: time, answer)
    }

    static func expected(
        _ sequence: UInt64,
        from author: UInt64,
        announcedBy holder: UInt64,
        at time: Int64,
        deadline: Int64?
    ) -> Self {
        Self(.expected(sequence, from: author, announcedBy: holder), at: time, answer(deadline, 1))
    }

    static func settled(_ sequence: UInt64, deadline: Int64?) -> Self {
        Self(.settled(sequence), at: 0, answer(deadline, 0))
    }

    static func notFound(
        _ sequence: UInt64,
        from holder: UInt64,
        at time: Int64,
        deadline: Int64?,
        count: Int? = 1
    ) -> Self {
        Self(.notFound(sequence, from: holder), at: time, answer(deadline, count))
    }

    static func closed(
        _ link: UInt64,
        other: UInt64?,
        at time: Int64,
        deadline: Int64?,
        count: Int? = 1
    ) -> Self {
        Self(.closed(link, other: other), at: time, answer(deadline, count))
    }

    static func look(
        at time: Int64,
        news: [UInt64: Int64] = [:],
        asks: [WantTableTests.Ask] = [],
        deadline: Int64?,
        count: Int? = nil
    ) -> Self {
        Self(.look(news: news), at: time, answer(asks: asks, deadline, count))
    }
}
