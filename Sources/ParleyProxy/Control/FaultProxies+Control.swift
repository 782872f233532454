/// The control, compatible with Toxiproxy 2.12.
extension FaultProxies {
    /// The version of Toxiproxy whose control this is, by which clients choose their requests.
    package static let version = "2.12.0"

    /// Answers a request; the change is complete, or there is none.
    package func answer(_ request: ControlRequest) async -> ControlAnswer {
        guard let route = ControlRoute(path: request.path), route != .metrics || hasMetrics else {
            return .plain(404, "404 page not found")
        }
        guard route.allows(request.method) else { return ControlAnswer(405) }
        let answer: ControlAnswer
        if request.userAgent.hasPrefix("Mozilla/") {
            answer = .plain(403, "User agent not allowed")
        } else {
            do throws(ControlProblem) {
                answer = try await result(of: request, route)
            } catch {
                answer = .problem(error)
            }
        }
        if request.method != "GET", answer.status < 300 {
            observer?.changed(by: request, at: milliseconds(at: Self.now()))
        }
        return answer.withRequestID()
    }

    private func result(
        of request: ControlRequest,
        _ route: ControlRoute
    ) async throws(ControlProblem) -> ControlAnswer {
        switch (route, request.method) {
        case (.proxies, "GET"):
            let members = entries.values.map { (name: $0.name, json: $0.json) }
            return .json(JSONText.object(members.sorted { Self.precedes($0.name, $1.name) }))
        case (.proxies, _): return try await createProxy(request)
        case (.populate, _): return try await populate(request.body)
        case (.reset, _):
            try await reset()
            return ControlAnswer(204)
        case (.proxy(let name), "GET"): return .json(try entry(name).json)
        case (.proxy(let name), "DELETE"):
            delete(try entry(name))
            return ControlAnswer(204)
        case (.proxy(let name), _): return try await updateProxy(name, request)
        case (.toxics(let name), "GET"):
            return .json(JSONText.array(try entry(name).listed.map(\.json)))
        case (.toxics(let name), _): return try createToxic(try entry(name), request)
        case (.toxic(let name, let toxic), _):
            return try answerToxic(try entry(name), toxic, request)
        case (.version, _):
            let text = "{\"version\": \"\(Self.version)\"}\n"
            return ControlAnswer(200, type: "application/json;charset=utf-8", body: text)
        case (.metrics, _):
            return ControlAnswer(200, type: "text/plain; version=0.0.4", body: metrics)
        case (.counters(let name), _): return .json(figures(of: try entry(name)).json)
        case (.connectionsOf(let name), _):
            cut(try entry(name))
            return ControlAnswer(204)
        case (.connections, _):
            let now = Self.now()
            let sorted = connections.values.sorted { $0.id < $1.id }
            return .json(JSONText.array(sorted.map { $0.json(at: now) }))
        case (.connection(let id), "GET"):
            guard let connection = connections[id] else { throw .connectionNotFound }
            return .json(connection.json(at: Self.now()))
        case (.connection(let id), _):
            guard let connection = connections[id] else { throw .connectionNotFound }
            end(connection, resets: request.query.contains("reset=true"))
            return ControlAnswer(204)
        }
    }

    // MARK: Proxies

    private func createProxy(
        _ request: ControlRequest
    ) async throws(ControlProblem) -> ControlAnswer {
        let json = try Self.json(request.body)
        var draft = ProxyDraft()
        try draft.take(json)
        try draft.check(place: "")
        try draft.takeToxics(json)
        // A conflict of names is found before one of ports.
        guard entries[draft.name] == nil else { throw .proxyExists }
        let address = try await listenAddress(draft)
        return .json(try create(draft, at: address).json, status: 201)
    }

    private func updateProxy(
        _ name: String,
        _ request: ControlRequest
    ) async throws(ControlProblem) -> ControlAnswer {
        let before = try entry(name)
        var draft = ProxyDraft()
        draft.listen = before.listen
        draft.upstream = before.upstream
        draft.isEnabled = before.isEnabled
        try draft.take(try Self.json(request.body))
        let (resolved, address) = try await resolvedListen(draft.listen)
        // Meanwhile others may have changed it.
        let entry = try entry(name)
        if resolved != entry.listen || draft.upstream != entry.upstream {
            stop(entry)
            entry.listen = draft.listen
            entry.upstream = draft.upstream
        }
        if draft.isEnabled {
            try start(entry, at: address)
        } else if entry.isEnabled {
            stop(entry)
        }
        return .json(entry.json)
    }

    private func reset() async throws(ControlProblem) {
        for name in entries.keys.sorted(by: Self.precedes) {
            guard let before = entries[name] else { continue }
            if !before.isEnabled {
                let address = try await listenAddress(before.listen)
                try entries[name].map { entry throws(ControlProblem) in
                    try start(entry, at: address)
                }
            }
            guard let entry = entries[name] else { continue }
            for toxic in entry.toxics { remove(toxic, from: entry) }
        }
    }

    // MARK: Toxics

    private func createToxic(
        _ entry: ProxyEntry,
        _ request: ControlRequest
    ) throws(ControlProblem) -> ControlAnswer {
        let json = try Self.json(request.body)
        var toxic = try Toxic(json)
        guard entry.toxic(toxic.name) == nil else { throw .toxicExists }
        try toxic.take(json)
        try add(toxic, to: entry)
        return .json(toxic.json)
    }

    private func answerToxic(
        _ entry: ProxyEntry,
        _ name: String,
        _ request: ControlRequest
    ) throws(ControlProblem) -> ControlAnswer {
        guard var toxic = entry.toxic(name) else { throw .toxicNotFound }
        switch request.method {
        case "GET": break
        case "DELETE":
            remove(toxic, from: entry)
            return ControlAnswer(204)
        default:
            let json = try Self.json(request.body)
            try toxic.takeToxicity(json)
            try toxic.take(json)
            change(to: toxic, in: entry)
        }
        return .json(toxic.json)
    }

    // MARK: Parts

    private var metrics: String {
        let sorted = entries.values.sorted { Self.precedes($0.name, $1.name) }
        return ProxyFigures.metrics(of: sorted.map(figures))
    }

    /// The figures of a proxy, with the bytes of its open connections.
    private func figures(of entry: ProxyEntry) -> ProxyFigures {
        var counts = entry.past
        for id in entry.connections {
            for direction in StreamDirection.allCases {
                counts.add(connections[id]?[direction], direction)
            }
        }
        return ProxyFigures(entry: entry, counts: counts)
    }

    func entry(_ name: String) throws(ControlProblem) -> ProxyEntry {
        guard let entry = entries[name] else { throw .proxyNotFound }
        return entry
    }

    static func json(_ body: [UInt8]) throws(ControlProblem) -> JSONValue {
        do throws(JSONFault) {
            return try JSONReader.read(body)
        } catch {
            throw .badBody(error.words)
        }
    }

    /// Go sorts keys by their bytes.
    static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}
