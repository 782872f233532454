import TestSupport
import Testing

extension TheLab {
    /// A machine goes to other addresses again and again, as one does that is carried around.
    @Suite(.timeLimit(.minutes(LabNeeds.isFull ? 60 : 5)))
    struct AddressChangeTests {
        private static let rounds = LabNeeds.isFull ? 500 : 5

        @Test func aMachineWithOtherAddressesIsReachedAgain() async throws {
            try await Lab.with(hosts: 2) { lab in
                let (one, two) = (lab.host(1), lab.host(2))
                let nodes = [try await one.start(), try await two.start()]
                _ = try await one.create("games")
                try await two.join(try await one.invite(to: "games"))
                try await one.send("?0", to: "games", "--wait", "delivered=1")
                var taken: [Duration] = []
                for round in 1...Self.rounds {
                    try await Self.move(two, round)
                    let start = ContinuousClock.now
                    try await one.send("?\(round)", to: "games", "--wait", "delivered=1")
                    taken.append(ContinuousClock.now - start)
                }
                taken.sort()
                let middle = taken[taken.count / 2] / .milliseconds(1)
                let longest = try #require(taken.last)
                Figure.say(
                    "\(Self.rounds) times other addresses -> message on disk there: median "
                        + "\(Int(middle)) ms, longest \(Int(longest / .milliseconds(1))) ms"
                )
                try #require(longest < (LabNeeds.isFull ? .seconds(2) : .seconds(20)))
                for node in nodes { try await node.stop() }
            }
        }

        /// Takes the interface of a host down, and up with another MAC and so with other addresses.
        private static func move(_ host: Host, _ round: Int) async throws {
            let mac =
                "02:70:61:73:0\(round / 256):" + String(round % 256 + 256, radix: 16).dropFirst()
            let commands = """
                ip link set eth0 down
                ip addr flush dev eth0 scope global
                ip link set eth0 address \(mac)
                ip addr add 10.77.0.\(10 + round % 200)/24 brd + dev eth0
                ip link set eth0 up
                ip route replace 224.0.0.0/4 dev eth0
                """
            try await host.must(["/bin/sh", "-e", "-c", commands])
        }
    }
}
