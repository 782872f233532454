import ParleyDiscovery
import Testing

struct InterfaceFilterTests {
    struct Case: Sendable {
        let globs: [String]
        let name: String
        let verdict: InterfaceFilter.Verdict

        init(_ globs: [String], _ name: String, _ verdict: InterfaceFilter.Verdict) {
            self.globs = globs
            self.name = name
            self.verdict = verdict
        }
    }

    @Test(arguments: [
        Case([], "eth0", .used),
        Case([], "lo", .used),
        Case([], "docker0", .used),
        Case([], "", .used),
        Case(["eth0"], "eth0", .used),
        Case(["eth0"], "eth01", .notListed),
        Case(["eth0"], "veth0", .notListed),
        Case(["eth*"], "eth", .used),
        Case(["eth*"], "eth0.100", .used),
        Case(["*"], "anything", .used),
        Case(["*"], "", .used),
        Case(["e*h?"], "enp3s0h1", .used),
        Case(["e*h?"], "enp3s0h", .notListed),
        Case(["*0*1"], "a0b0c1", .used),
        Case(["*0*1"], "a0b0c12", .notListed),
        Case(["?"], "", .notListed),
        Case(["en*", "wl*"], "wlp2s0", .used),
        Case(["en*", "wl*"], "lo", .notListed),
        Case(["!docker*"], "eth0", .used),
        Case(["!docker*"], "docker0", .denied(by: "!docker*")),
        Case(["!docker*", "docker1"], "docker1", .denied(by: "!docker*")),
        Case(["*", "!br-*"], "br-0a1b2c", .denied(by: "!br-*")),
        Case(["e[0-9]"], "e[0-9]", .used),
        Case(["ETH0"], "eth0", .notListed),
        Case([String(repeating: "*a", count: 16)], String(repeating: "a", count: 15), .notListed),
    ])
    func judgesNames(_ example: Case) throws {
        let filter = try InterfaceFilter(globs: example.globs)
        #expect(filter.verdict(on: example.name) == example.verdict)
    }

    @Test(arguments: [
        [""], ["!"], ["eth0", ""],
        [String(repeating: "a", count: 65)],
        Array(repeating: "a", count: 65),
    ])
    func refusesBadGlobs(_ globs: [String]) {
        #expect(throws: DiscoveryError.globMalformed) { try InterfaceFilter(globs: globs) }
    }

    @Test func knowsThatItUsesEverything() throws {
        #expect(InterfaceFilter.everything.usesEverything)
        #expect(try InterfaceFilter(globs: []).usesEverything)
        #expect(try !InterfaceFilter(globs: ["*"]).usesEverything)
    }
}
