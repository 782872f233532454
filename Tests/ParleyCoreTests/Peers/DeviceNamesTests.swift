import ParleyCore
import Testing

/// Names of devices are kept within limits.
struct DeviceNamesTests {
    private func device(_ number: Int) -> DeviceID {
        DeviceID(Bytes32(UInt64(number), 0, 0, 0))
    }

    @Test func anotherNameIsWritten() {
        var names = DeviceNames(recovered: [device(1): "ann"], countMax: 8)
        let steps: [(name: String, isWritten: Bool)] = [
            ("ann", false), ("Ann", true), ("Ann", false), ("", false), ("ann", true),
        ]
        for step in steps {
            #expect(names.learn(step.name, of: device(1), isOpen: false) == step.isWritten)
        }
        #expect(names[device(1)] == "ann")
        #expect(names[device(2)] == nil)
        #expect(names.count == 1)
    }

    /// Members of open conversations only, who can be anybody, fill the first half.
    @Test(arguments: [
        Arrival(known: 3, isOpen: true, isLearned: true),
        Arrival(known: 4, isOpen: true, isLearned: false),
        Arrival(known: 7, isOpen: false, isLearned: true),
        Arrival(known: 8, isOpen: false, isLearned: false),
    ])
    func newNamesNeedCapacity(_ arrival: Arrival) {
        var names = DeviceNames(recovered: [:], countMax: 8)
        for number in 0..<arrival.known {
            #expect(names.learn("peer", of: device(number), isOpen: false) == true)
        }
        #expect(names.learn("new", of: device(9), isOpen: arrival.isOpen) == arrival.isLearned)
        #expect(names[device(9)] == (arrival.isLearned ? "new" : nil))
        let isRenamed = names.learn("renamed", of: device(0), isOpen: true)
        #expect(isRenamed, "a known one needs no capacity")
    }

    /// A device that says its name when this many are known.
    struct Arrival: Sendable {
        let known: Int
        let isOpen: Bool
        let isLearned: Bool
    }

    @Test func recoveredNamesBeyondTheLimitAreForgottenInOrder() {
        let recovered = Dictionary(uniqueKeysWithValues: (0..<5).map { (device($0), "\($0)") })
        let names = DeviceNames(recovered: recovered, countMax: 3)
        #expect((0..<5).map { names[device($0)] } == ["0", "1", "2", nil, nil])
    }
}
