import ArgumentParser
import Foundation
import ParleyAPI
import ParleyLoop
import ParleyProxy
import ParleyWeb
import ParleyYAML

/// `parley proxy run`.
struct ProxyRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the proxies and their control, until Ctrl-C.",
        discussion: """
              parley proxy run
              parley proxy run --config proxies.json --seed 17

            The file is a JSON list, as for Toxiproxy; a proxy in it may have toxics, too:

              [{"name": "redis", "listen": "127.0.0.1:26379", "upstream": "127.0.0.1:6379"}]
            """
    )
    @Option(
        help: ArgumentHelp("The proxies to start with, a JSON file.", valueName: "file")
    )
    var config: String?
    @Option(
        help: ArgumentHelp(
            "Where to serve the control (default: 127.0.0.1:8474).",
            valueName: "host:port"
        )
    )
    var control: String?
    @Option(help: "The seed that all faults follow from (default: one drawn and printed).")
    var seed: UInt64?
    @Option(
        help: ArgumentHelp(
            "Changes at their times, a YAML file: docs/fault-proxy.md.",
            valueName: "file"
        )
    )
    var plan: String?
    @Option(help: ArgumentHelp("Write every fault and change to a file.", valueName: "file"))
    var trace: String?
    @Flag(help: "Serve metrics at /metrics of the control.") var metrics = false
    @Flag(help: "Serve a page at the address of the control, to pull cables with a click.")
    var page = false
    @Flag(help: "Print JSON for programs: one line when all is ready.") var json = false

    func validate() throws {
        guard let control else { return }
        do {
            _ = try PageAddress(parsing: control)
        } catch {
            throw ValidationError("--control takes HOST:PORT, and got '\(control)'.")
        }
    }

    func run() async throws {
        // A number that people can type, and that JSON can hold.
        let seed = seed ?? UInt64.random(in: 0..<1_000_000_000)
        let list = try config.map { path in
            let data = try SmallFile.contents(
                of: path,
                bytesMax: Self.fileBytesMax,
                "list of proxies"
            )
            return (bytes: Array(data), names: try ProxyList(Array(data), path: path).names)
        }
        let changes = try plan.map { try read($0, known: list?.names ?? []) } ?? []
        let service = try ProxyService(
            proxies: FaultProxies(
                seed: seed,
                hasMetrics: metrics,
                observer: try trace.map { path in
                    TraceFile(try Self.file(path), seed: seed) { code in
                        let why = String(cString: strerror(code))
                        Output.error.line("warning: the trace in \(path) ends here: \(why)")
                    }
                },
                unreachable: { name, words in
                    let words = TerminalText.safe("\(name): cannot reach \(words)")
                    Output.error.line("warning: \(words)")
                }
            ),
            control: control,
            hasPage: page
        )
        var count = 0
        if let list { count = try await populate(service.proxies, list.bytes) }
        try await service.serve(changes) { [json, page, count] in
            json
                ? Self.announceAsJSON(service.address, seed: seed, count: count)
                : Self.announce(
                    service.address,
                    seed: seed,
                    count: changes.isEmpty ? count : nil,
                    hasPage: page
                )
        } finished: { [json] in
            if json { return }
            Output.error.line("all steps of the plan are done; Ctrl-C ends the proxies")
        }
    }

    private func read(_ path: String, known: Set<String>) throws -> [ScheduledRequest] {
        let data = try SmallFile.contents(of: path, bytesMax: Self.fileBytesMax, "plan")
        do throws(YAMLError) {
            let text = String(decoding: data, as: UTF8.self)
            return try ProxyPlan(yaml: text, known: known).changes
        } catch {
            throw FileProblem.at(path, line: error.line, .badPlan, error.message, hint: error.hint)
        }
    }

    private static func file(_ path: String) throws(Problem) -> Descriptor {
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard number >= 0 else {
            throw Problem(
                .cannotWrite,
                "\(path) cannot be written: \(String(cString: strerror(errno))).",
                hint: "Choose another file with --trace."
            )
        }
        return Descriptor(adopting: number)
    }

    private func populate(_ proxies: FaultProxies, _ list: [UInt8]) async throws -> Int {
        do throws(ControlProblem) {
            return try await proxies.populate(configuration: list)
        } catch {
            throw Problem(
                error.status == 500 ? .notListening : .badInput,
                "\(config ?? ""): \(error.message)",
                hint: error.status == 500
                    ? "Choose another address in the file."
                    : "See the example in: parley help proxy run"
            )
        }
    }

    private static func announceAsJSON(_ address: PageAddress, seed: UInt64, count: Int) {
        let members = [
            ("control", JSONText.string("http://\(address)")), ("seed", "\(seed)"),
            ("proxies", "\(count)"),
        ]
        Output.standard.line(JSONText.object(members))
    }

    private static func announce(
        _ address: PageAddress,
        seed: UInt64,
        count: Int?,
        hasPage: Bool
    ) {
        let proxies = count.map { $0 == 1 ? "1 proxy" : "\($0) proxies" } ?? "a plan of proxies"
        Output.error.line("\(proxies), control at http://\(address), seed \(seed)")
        if hasPage { Output.error.line("open http://\(address)/ in a browser to pull cables") }
        if count == 0 {
            Output.error.line("hint: parley proxy create -l 127.0.0.1:0 -u HOST:PORT NAME")
        }
        if !address.isLoopback {
            Output.error.line("warning: everybody in the network can change these proxies")
        }
    }

    private static let fileBytesMax = 16 << 20
}
