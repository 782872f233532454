extension FaultProxies {
    /// Makes the proxies of a list, and replaces those that differ.
    func populate(_ body: [UInt8]) async throws(ControlProblem) -> ControlAnswer {
        var made: [ProxyEntry] = []
        var problem: ControlProblem?
        do throws(ControlProblem) {
            try await populate(with: try ProxyDraft.list(body), &made)
        } catch {
            problem = error
        }
        let proxies = made.isEmpty ? "null" : JSONText.array(made.map(\.json))
        var members = [(name: "proxies", json: proxies)]
        if let problem {
            members.insert(("status", "\(problem.status)"), at: 0)
            members.insert(("error", JSONText.string(problem.message)), at: 0)
        }
        return .json(JSONText.object(members), status: problem?.status ?? 201)
    }

    /// Makes the proxies of a configuration file, which is such a list.
    ///
    /// - Returns: The number of proxies.
    package func populate(configuration: [UInt8]) async throws(ControlProblem) -> Int {
        var made: [ProxyEntry] = []
        try await populate(with: try ProxyDraft.list(configuration), &made)
        observer?.changed(
            by: ControlRequest("POST", "/populate", body: configuration),
            at: milliseconds(at: Self.now())
        )
        return made.count
    }

    private func populate(
        with drafts: [ProxyDraft],
        _ made: inout [ProxyEntry]
    ) async throws(ControlProblem) {
        for draft in drafts {
            if entries[draft.name] != nil {
                let (resolved, _) = try await resolvedListen(draft.listen)
                if let entry = entries[draft.name] {
                    if resolved == entry.listen, draft.upstream == entry.upstream {
                        made.append(entry)
                        continue
                    }
                    delete(entry)
                }
            }
            let address = try await listenAddress(draft)
            made.append(try create(draft, at: address))
        }
    }

    // MARK: Addresses

    /// The address at which a proxy is to listen; nil if it is not to.
    func listenAddress(_ draft: ProxyDraft) async throws(ControlProblem) -> ProxyAddress? {
        draft.isEnabled ? try await listenAddress(draft.listen) : nil
    }

    func listenAddress(_ text: String) async throws(ControlProblem) -> ProxyAddress? {
        do throws(AddressFault) {
            return try await AddressText(text).resolved(on: resolver).first
        } catch {
            throw ControlProblem(500, "listen tcp: \(error.words)")
        }
    }

    /// An address as Toxiproxy compares it, and what it stands for.
    func resolvedListen(
        _ text: String
    ) async throws(ControlProblem) -> (text: String, address: ProxyAddress?) {
        do throws(AddressFault) {
            let parsed = try AddressText(text)
            let address = try await parsed.resolved(on: resolver).first
            return (parsed.host.isEmpty ? ":\(parsed.port)" : address?.text ?? text, address)
        } catch {
            throw ControlProblem(500, error.words)
        }
    }
}
