/// The figures of a proxy as they are now.
struct ProxyFigures {
    let entry: ProxyEntry
    let counts: StreamCounts

    /// What a proxy has counted, and what each of its toxics has done.
    var json: String {
        let hits = entry.listed.map { ($0.name, "\(entry.hits[$0.name] ?? 0)") }
        return JSONText.object([
            ("accepted", "\(entry.accepted)"), ("open", "\(entry.connections.count)"),
            ("received", Self.json(counts.received)), ("sent", Self.json(counts.sent)),
            ("hits", JSONText.object(hits)),
        ])
    }

    private static func json(_ counts: [StreamDirection: UInt64]) -> String {
        JSONText.object(StreamDirection.allCases.map { ($0.rawValue, "\(counts[$0] ?? 0)") })
    }

    /// The text of the metrics, with the names of Toxiproxy.
    static func metrics(of proxies: [ProxyFigures]) -> String {
        let parts: [(String, KeyPath<StreamCounts, [StreamDirection: UInt64]>)] = [
            ("received", \.received), ("sent", \.sent),
        ]
        return parts.map { word, path in
            let name = "toxiproxy_proxy_\(word)_bytes_total"
            var text = "# HELP \(name) \n# TYPE \(name) counter\n"
            for direction in [StreamDirection.downstream, .upstream] {
                for proxy in proxies {
                    let labels = [
                        ("direction", direction.rawValue), ("listener", proxy.entry.listen),
                        ("proxy", proxy.entry.name), ("upstream", proxy.entry.upstream),
                    ]
                    let words = labels.map { "\($0)=\(JSONText.string($1))" }
                    let count = proxy.counts[keyPath: path][direction] ?? 0
                    text += "\(name){\(words.joined(separator: ","))} \(count)\n"
                }
            }
            return text
        }
        .joined()
    }
}

extension ProxiedConnection {
    /// The connection for a list.
    func json(at now: ProxyTime) -> String {
        let age = now.nanoseconds - begin.nanoseconds
        var members = [
            (name: "id", json: "\(id)"), ("proxy", JSONText.string(proxy)),
            ("number", "\(number)"), ("client", JSONText.string(clientAddress.text)),
            ("milliseconds", "\(age / 1_000_000)"),
        ]
        for direction in StreamDirection.allCases {
            let flow = self[direction]
            let figures = [
                (name: "received", json: "\(flow?.received ?? 0)"),
                ("sent", "\(flow?.sent ?? 0)"),
                ("waiting", "\(flow?.chain.byteCount ?? 0)"),
            ]
            members.append((direction.rawValue, JSONText.object(figures)))
        }
        return JSONText.object(members)
    }
}
