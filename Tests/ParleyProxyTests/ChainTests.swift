import ParleyProxy
import Testing

struct ChainTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let kind: ToxicKind
        let attributes: [String: AttributeValue]
        let output: String

        init(_ kind: ToxicKind, _ attributes: [String: AttributeValue], _ output: String) {
            self.kind = kind
            self.attributes = attributes
            self.output = output
        }

        var testDescription: String { "\(kind.rawValue) \(attributes)" }
    }

    /// `ab` at 0 ms, `cd` at 10 ms, the end at 20 ms.
    @Test(arguments: [
        Case(.noop, [:], "0:ab 10:cd 20:|"),
        Case(.latency, ["latency": .integer(100)], "100:ab 110:cd|"),
        Case(.latency, ["latency": .integer(-5)], "0:ab 10:cd 20:|"),
        Case(.bandwidth, ["rate": .integer(0)], ""),
        Case(.bandwidth, ["rate": .integer(1)], "0:ab 10:cd 20:|"),
        Case(.slowClose, ["delay": .integer(500)], "0:ab 10:cd 520:|"),
        Case(.timeout, ["timeout": .integer(0)], "20:X"),
        Case(.timeout, ["timeout": .integer(15)], "15:X"),
        Case(.timeout, ["timeout": .integer(300)], "20:X"),
        Case(.resetPeer, ["timeout": .integer(0)], "0:R"),
        Case(.resetPeer, ["timeout": .integer(50)], "50:R"),
        Case(
            .slicer,
            ["average_size": .integer(1), "delay": .integer(500)],
            "0:a 500us:b 10:c 10500us:d 20:|"
        ),
        Case(.limitData, ["bytes": .integer(3)], "0:ab 10:cX"),
        Case(.limitData, ["bytes": .integer(0)], "0:X"),
        Case(.limitData, ["bytes": .integer(5)], "0:ab 10:cd 20:|"),
        Case(.limitTime, ["time": .integer(15)], "0:ab 10:cd 15:X"),
        Case(.halfOpen, [:], ""),
        Case(.drip, ["size": .integer(1), "interval": .integer(8)], "8:a 16:b 24:c 32:d|"),
        Case(.loss, ["loss_rate": .number(0)], "0:ab 10:cd 20:|"),
        Case(.packetLoss, ["loss_rate": .number(1)], "20:|"),
        Case(.corrupt, ["rate": .number(0)], "0:ab 10:cd 20:|"),
    ])
    func eachToxicHasItsEffect(_ example: Case) throws {
        var run = ChainRun([try .make(example.kind, example.attributes)])
        run.send("ab".utf8, at: 0)
        run.send("cd".utf8, at: 10)
        run.send(.end, at: 20)
        run.run(to: 10_000)
        #expect(run.text == example.output)
    }

    /// Regression: what came after the last byte was noted as a further end, as often as it came.
    @Test func aLimitIsReachedOnce() throws {
        var run = ChainRun([
            try .make(.slicer, ["average_size": .integer(1)]),
            try .make(.limitData, ["bytes": .integer(3)]),
        ])
        run.send("abcdefgh".utf8, at: 0)
        run.send("ijkl".utf8, at: 1)
        run.run(to: 10)
        #expect(run.faults.count { $0.act == .closed } == 1)
    }

    /// Regression: a chain took 128 KiB in slices of one byte, each of which costs some hundred.
    @Test func smallSlicesAreBoundedByTheirNumber() throws {
        var chain = ToxicChain(
            FaultDraws(seed: 1),
            proxy: "web",
            connection: 1,
            direction: .downstream
        )
        let toxic = try Toxic.make(.drip, ["size": .integer(1), "interval": .integer(1_000)])
        chain.add(toxic, at: .zero)
        _ = chain.push([UInt8](repeating: 7, count: 1_000)[...], at: .zero)
        #expect(!chain.isFull)
        _ = chain.push([UInt8](repeating: 7, count: 1_000)[...], at: .zero)
        #expect(chain.isFull)
    }

    @Test(arguments: ToxicKind.allCases)
    func noAttributeIsTooLargeOrTooSmall(kind: ToxicKind) throws {
        for number in [Int64.min, -1, 0, 1, .max] {
            var attributes: [String: AttributeValue] = [:]
            for field in kind.fields {
                switch field.standard {
                case .integer: attributes[field.name] = .integer(number)
                case .number: attributes[field.name] = .number(Double(number))
                case .word: break
                }
            }
            var run = ChainRun([try .make(kind, attributes)])
            for time in 0..<3 { run.send("abc".utf8, at: Double(time)) }
            run.send(.end, at: 9)
            run.run(to: 20)
            #expect(run.bytes.count <= 9)
        }
    }

    @Test func toxicsActOneAfterTheOther() throws {
        var run = ChainRun([
            try .make(.latency, ["latency": .integer(100)]),
            try .make(.bandwidth, ["rate": .integer(1)]),
            try .make(.limitData, ["bytes": .integer(3)]),
        ])
        run.send("abcdef".utf8, at: 0)
        run.run(to: 1_000)
        #expect(run.text == "100:abcX")
    }

    @Test func bandwidthIsBytesAMillisecond() throws {
        var run = ChainRun([try .make(.bandwidth, ["rate": .integer(1)])])
        run.send("abcdefghijklmnopqrstuvwxyz".utf8, at: 0)
        run.run(to: 1_000)
        #expect(run.text == "0:abcdefghij 10:klmnopqrst 20:uvwxyz")
    }

    @Test func losesSegmentsAsTCPDoes() throws {
        var run = ChainRun([try .make(.loss, ["loss_rate": .number(1)])])
        run.send("ab".utf8, at: 0)
        run.run(to: 100_000)
        #expect(run.text == "51000:ab", "200 ms doubles eight times")
    }

    @Test func whatWaitsPassesInOrderWhenItsToxicIsRemoved() throws {
        var run = ChainRun([
            try .make(.latency, ["latency": .integer(60_000)]),
            try .make(.bandwidth, ["rate": .integer(0)]),
        ])
        run.send("ab".utf8, at: 0)
        run.send("cd".utf8, at: 1)
        run.send(.end, at: 2)
        run.remove("latency_downstream", at: 3)
        #expect(run.text == "")
        run.remove("bandwidth_downstream", at: 4)
        #expect(run.text == "4:abcd|")
        #expect(run.chain.isIdle)
    }

    @Test func aShorterLatencyAppliesToWhatWaits() throws {
        var run = ChainRun([try .make(.latency, ["latency": .integer(60_000)])])
        run.send("ab".utf8, at: 0)
        run.change(to: try .make(.latency, ["latency": .integer(50)]), at: 10)
        run.run(to: 100)
        #expect(run.text == "50:ab")
    }

    @Test func aLimitKeepsItsCountOverChanges() throws {
        var run = ChainRun([try .make(.limitData, ["bytes": .integer(10)])])
        run.send("abc".utf8, at: 0)
        run.change(to: try .make(.limitData, ["bytes": .integer(4)]), at: 1)
        run.send("def".utf8, at: 2)
        run.run(to: 10)
        #expect(run.text == "0:abc 2:dX")
    }

    @Test func removingATimeoutClosesTheConnection() throws {
        var run = ChainRun([try .make(.timeout)])
        run.send("ab".utf8, at: 0)
        run.remove("timeout_downstream", at: 5)
        #expect(run.text == "5:X")
    }

    @Test func aStalledChainIsFullAndTakesNoMore() throws {
        var run = ChainRun([try .make(.bandwidth, ["rate": .integer(0)])])
        #expect(!run.chain.isFull)
        run.send([UInt8](repeating: 0, count: 128 << 10), at: 0)
        #expect(run.chain.isFull)
    }

    @Test func toxicityIsAShareOfConnectionsAndNotDrawnAgain() throws {
        let toxic = try Toxic.make(.halfOpen, toxicity: 0.3)
        var hit = 0
        for connection in 0..<1_000 as Range<UInt64> {
            var run = ChainRun(connection: connection, [toxic])
            run.send("a".utf8, at: 0)
            let isHit = run.text.isEmpty
            hit += isHit ? 1 : 0
            run.chain.isIdle ? #expect(!isHit) : #expect(isHit)
            run.change(to: try .make(.halfOpen, toxicity: 0.31), at: 1)
            run.send("b".utf8, at: 2)
            if isHit { #expect(run.text.isEmpty, "a larger share has those of the smaller one") }
        }
        #expect((250...350).contains(hit))
    }

    @Test func noConnectionHasAToxicOfToxicityZero() throws {
        for connection in 0..<200 as Range<UInt64> {
            let toxic = try Toxic.make(.halfOpen, toxicity: 0)
            #expect(ChainRun(connection: connection, [toxic]).chain.isIdle)
        }
    }
}
