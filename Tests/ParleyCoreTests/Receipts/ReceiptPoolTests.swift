import ParleyCore
import Testing

/// Nodes on the way keep receipts that they cannot read.
@Suite struct ReceiptPoolTests {
    private let origin = OriginID(Bytes16(1, 2))

    private func receipt(_ device: UInt64, _ counter: UInt64, _ content: UInt8 = 0) -> Receipt {
        let sealed = Slice([UInt8](repeating: content, count: 64))
        return Receipt(device: device, counter: counter, sealed: sealed)
    }

    private func neighbour(_ number: UInt64) -> DeviceID { DeviceID(Bytes32(number, 0, 0, 0)) }

    @Test func aLaterSetTakesThePlaceOfAnEarlierOne() {
        var pool = ReceiptPool()
        for counter in [16, 17, 32, 18] as [UInt64] {
            let isNew = pool.insert(receipt(7, counter), of: origin, from: neighbour(1))
            #expect(isNew == (counter != 18))
        }
        #expect(pool.takeUnsent(origin, to: [neighbour(9)]).map(\.receipt.counter) == [32])
    }

    @Test func theSameReceiptCountsOnce() {
        var pool = ReceiptPool()
        var isNew: [Bool] = []
        for number in [1, 2, 1] as [UInt64] {
            isNew.append(pool.insert(receipt(7, 16), of: origin, from: neighbour(number)))
        }
        #expect(isNew == [true, false, false])
    }

    /// Regression: a neighbour that names another device with a high number kept its receipts away.
    @Test func nobodyTakesThePlaceOfAnother() {
        var pool = ReceiptPool()
        let isNew = [
            pool.insert(receipt(7, 16), of: origin, from: neighbour(1)),
            pool.insert(receipt(7, .max, 9), of: origin, from: neighbour(2)),
            pool.insert(receipt(7, 17, 9), of: origin, from: neighbour(2)),
            pool.insert(receipt(7, 17), of: origin, from: neighbour(1)),
        ]
        #expect(isNew == [true, true, false, true])
        let unsent = pool.takeUnsent(origin, to: [neighbour(9)])
        #expect(unsent.map(\.receipt.counter) == [16, 17, .max])
    }

    /// What only its own neighbour could take waits for another one.
    @Test func noReceiptGoesBack() {
        var pool = ReceiptPool()
        _ = pool.insert(receipt(7, 16), of: origin, from: neighbour(1))
        _ = pool.insert(receipt(8, 16), of: origin, from: neighbour(2))
        func take(to ways: UInt64...) -> [UInt64] {
            pool.takeUnsent(origin, to: ways.map(neighbour)).map(\.receipt.device)
        }
        #expect(take() == [])
        #expect(take(to: 1) == [8])
        #expect(take(to: 1) == [])
        #expect(take(to: 1, 2) == [7])
        #expect(take(to: 1, 2) == [])
    }

    /// Regression: places were counted, and each may have sixteen receipts.
    @Test func whoBringsMostGivesWay() {
        var pool = ReceiptPool()
        for device in 0..<1_000 as Range<UInt64> {
            _ = pool.insert(receipt(device, 16), of: origin, from: neighbour(1))
        }
        for device in 0..<900 as Range<UInt64> {
            for counter in 0..<16 as Range<UInt64> {
                _ = pool.insert(receipt(device, counter, 9), of: origin, from: neighbour(2))
            }
        }
        let kept = pool.takeUnsent(origin, to: [neighbour(9)])
        #expect(kept.count <= Limits.receiptsKept)
        #expect(kept.count { $0.source == neighbour(1) } == 1_000)
    }
}
