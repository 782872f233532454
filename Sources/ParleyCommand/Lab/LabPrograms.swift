import Foundation
import ParleyAPI
import ParleyCore
import ParleyFaults

/// Programs that are not Parley, and commands, on the hosts of a plan.
actor LabPrograms {
    /// A program of a host, by its index in the plan.
    struct Place: Hashable {
        let host: HostID
        let index: Int
    }

    private let plan: Plan
    private let hosts: [LabHost]
    private let script: LabScript
    private var programs: [Place: ChildProgram] = [:]
    /// The programs that a step has ended.
    private var ended: Set<Place> = []

    /// The time limit for a program to become ready or to stop, and for a command.
    private static let patience = Duration.seconds(30)
    private static let late = "does not end in time"
    /// The time limit for one look at whether a program is ready.
    private static let probePatience = Duration.seconds(2)

    /// Makes the programs of a plan, none of which runs yet.
    init(_ plan: Plan, on hosts: [LabHost], script: LabScript) {
        self.plan = plan
        self.hosts = hosts
        self.script = script
    }

    /// Starts all programs, in the order of the plan, each once the one before is ready.
    func startAll() async throws {
        for host in plan.hostIDs {
            for index in plan.host(host).programs.indices {
                try await start(Place(host: host, index: index))
            }
        }
    }

    func perform(_ act: PlanFault.DaemonAct, on place: Place) async throws {
        let program = programs[place]
        if act == .stop || act == .kill { ended.insert(place) }
        switch act {
        case .start: try await start(place)
        case .stop, .restart:
            program?.signalGroup(SIGTERM)
            // A program that stands still ends only once it goes on.
            program?.signalGroup(SIGCONT)
            guard await program?.end(within: Self.patience) != nil || program == nil else {
                throw Problem(.planFailed, "\(name(of: place)) does not stop.")
            }
            if act == .restart { try await start(place) }
        case .kill:
            program?.signalGroup(SIGKILL)
            _ = await program?.end(within: Self.patience)
        case .hang: program?.signalGroup(SIGSTOP)
        case .resume: program?.signalGroup(SIGCONT)
        }
    }

    /// The program that has ended with a failure, although no step has ended it; nil if none has.
    var unexpectedEnd: String? {
        for host in plan.hostIDs {
            for index in plan.host(host).programs.indices {
                let place = Place(host: host, index: index)
                guard !ended.contains(place), let code = programs[place]?.exitCode, code != 0
                else { continue }
                return "\(name(of: place)) has ended with \(code), and no step has ended it"
            }
        }
        return nil
    }

    /// Kills all programs.
    func endAll() async {
        for program in programs.values {
            program.signalGroup(SIGKILL)
            _ = await program.end(within: Self.patience)
        }
    }

    private func name(of place: Place) -> String {
        "\(plan.host(place.host).programs[place.index].name) of \(plan.name(place.host))"
    }

    private func start(_ place: Place) async throws {
        if programs[place]?.isRunning == true {
            throw Problem(.planFailed, "\(name(of: place)) runs already.")
        }
        let program = plan.host(place.host).programs[place.index]
        let log = hosts[place.host.index].log(of: program)
        let child = try ChildProgram(
            words(program.command, on: place.host),
            environment: environment,
            output: log.path,
            errors: log.path,
            failure: .labFailed
        )
        programs[place] = child
        ended.remove(place)
        guard let readiness = program.readiness else { return }
        let deadline = ContinuousClock.now + Self.patience
        while try await !isReady(readiness, on: place.host, log) {
            if let code = child.exitCode {
                throw Problem(.planFailed, "\(name(of: place)) has ended with \(code).")
            }
            guard .now < deadline else {
                throw Problem(
                    .planFailed,
                    "\(name(of: place)) did not become ready in \(Self.patience): "
                        + "\(readiness.shortfall)."
                )
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func isReady(
        _ readiness: PlanProgram.Readiness,
        on host: HostID,
        _ log: URL
    ) async throws -> Bool {
        let probe: String
        switch readiness {
        case .log(let text):
            return try String(decoding: Data(contentsOf: log), as: UTF8.self).contains(text)
        case .port(let port): probe = "exec 3<>/dev/tcp/$ip/\(port)"
        case .http(let port, let path):
            probe = """
                exec 3<>/dev/tcp/$ip/\(port) && \
                printf 'GET \(path) HTTP/1.0\\r\\nHost: '$ip'\\r\\n\\r\\n' >&3 && \
                IFS= read -r line <&3 && { timeout 1 cat <&3 >/dev/null || true; } && \
                [[ $line == HTTP/*' '[23]??* ]]
                """
        }
        for address in [hosts[host.index].ip, "127.0.0.1"] {
            let words = words("ip=\(address); \(probe)", on: host)
            let outcome = try await finished(words, within: Self.probePatience)
            if outcome?.exitCode == 0 { return true }
        }
        return false
    }

    // MARK: Commands

    /// Runs a command again and again until the result is as expected, or the time is over.
    ///
    /// - Returns: the last result, nil if it was as expected.
    func run(_ command: PlanCommand) async throws -> String? {
        let deadline = command.limit.map { ContinuousClock.now + .nanoseconds($0.nanoseconds) }
        var before = ""
        while true {
            let left = deadline.map { max(.milliseconds(100), $0 - .now) } ?? Self.patience
            let deviation = try await attempt(command, within: left)
            guard let deviation else { return nil }
            guard let deadline, .now < deadline else {
                let isLate = deviation == Self.late && !before.isEmpty
                return isLate ? "\(deviation); before that, it \(before)" : deviation
            }
            before = deviation
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func attempt(_ command: PlanCommand, within limit: Duration) async throws -> String? {
        let words = words(command.command, on: command.host)
        guard let outcome = try await finished(words, within: limit) else {
            return Self.late
        }
        let text = outcome.output + outcome.errors
        return command.deviation(exitCode: outcome.exitCode, output: text)
    }

    /// The outcome of a command; nil if it did not end in time.
    private func finished(
        _ words: [String],
        within limit: Duration
    ) async throws -> LabProgram.Outcome? {
        do {
            return try await LabProgram.run(
                words,
                scratch: script.scratch,
                environment: environment,
                within: limit
            )
        } catch let problem as Problem where problem.kind == .planFailed {
            return nil
        }
    }

    private func words(_ command: String, on host: HostID) -> [String] {
        let host = hosts[host.index]
        let data = "PARLEY_DATA=\(ShellWord.quoted(host.data.path))"
        let line = "cd \(ShellWord.quoted(host.directory.path)) || exit\nexport \(data)\n\(command)"
        return host.entering + ["bash", "-c", line]
    }

    /// The addresses of the hosts, by their names; this program is found by its name.
    private var environment: [String: String] {
        var variables = LabProgram.environment
        let folder = URL(filePath: LabProgram.ownPath).deletingLastPathComponent().path
        variables["PATH"] = "\(folder):\(variables["PATH"] ?? "/usr/bin:/bin")"
        for host in hosts { variables[host.host.name.replacing("-", with: "_")] = host.ip }
        return variables
    }
}

extension LabHost {
    /// The file with the output of a program.
    nonisolated func log(of program: PlanProgram) -> URL {
        directory.appending(path: "\(program.name).log")
    }
}

extension PlanProgram.Readiness {
    /// The condition that a program which is not ready has not met.
    fileprivate var shortfall: String {
        switch self {
        case .log(let text): "it has not printed “\(text)”"
        case .port(let port): "nothing listens at port \(port)"
        case .http(let port, let path):
            "GET \(path) at port \(port) has no answer with a status below 400"
        }
    }
}
