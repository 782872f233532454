/// What the proxies count, as it is now.
extension FaultProxies {
    /// The text of the metrics, with the names of Toxiproxy.
    var metrics: String {
        let parts: [(String, KeyPath<StreamCounts, [StreamDirection: UInt64]>)] = [
            ("received", \.received), ("sent", \.sent),
        ]
        let sorted = entries.values.sorted { Self.precedes($0.name, $1.name) }
        return parts.map { word, path in
            let name = "toxiproxy_proxy_\(word)_bytes_total"
            var text = "# HELP \(name) \n# TYPE \(name) counter\n"
            for direction in [StreamDirection.downstream, .upstream] {
                for entry in sorted {
                    let labels = [
                        ("direction", direction.rawValue), ("listener", entry.listen),
                        ("proxy", entry.name), ("upstream", entry.upstream),
                    ]
                    let words = labels.map { "\($0)=\(JSONText.string($1))" }
                    let count = counts(of: entry)[keyPath: path][direction] ?? 0
                    text += "\(name){\(words.joined(separator: ","))} \(count)\n"
                }
            }
            return text
        }
        .joined()
    }

    /// The bytes of a proxy, those of its open connections included.
    func counts(of entry: ProxyEntry) -> StreamCounts {
        var counts = entry.past
        for id in entry.connections {
            for direction in StreamDirection.allCases {
                counts.add(connections[id]?[direction], direction)
            }
        }
        return counts
    }

    /// What a proxy has counted, and what each of its toxics has done.
    func countersJSON(_ entry: ProxyEntry) -> String {
        let counts = counts(of: entry)
        func bytes(_ counts: [StreamDirection: UInt64]) -> String {
            JSONText.object(
                StreamDirection.allCases.map { ($0.rawValue, "\(counts[$0] ?? 0)") }
            )
        }
        let hits = entry.listed.map { ($0.name, "\(entry.hits[$0.name] ?? 0)") }
        return JSONText.object([
            ("accepted", "\(entry.accepted)"), ("open", "\(entry.connections.count)"),
            ("received", bytes(counts.received)), ("sent", bytes(counts.sent)),
            ("hits", JSONText.object(hits)),
        ])
    }

    /// A connection for the list; nil if there is none of that number.
    func connectionJSON(_ id: UInt64) -> String? {
        guard let connection = connections[id] else { return nil }
        let age = Self.now().nanoseconds - connection.begin.nanoseconds
        var members = [
            (name: "id", json: "\(id)"), ("proxy", JSONText.string(connection.proxy)),
            ("number", "\(connection.number)"),
            ("client", JSONText.string(connection.clientAddress.text)),
            ("milliseconds", "\(age / 1_000_000)"),
        ]
        for direction in StreamDirection.allCases {
            let flow = connection[direction]
            let figures = [
                (name: "received", json: "\(flow?.received ?? 0)"), ("sent", "\(flow?.sent ?? 0)"),
                ("waiting", "\(flow?.chain.byteCount ?? 0)"),
            ]
            members.append((direction.rawValue, JSONText.object(figures)))
        }
        return JSONText.object(members)
    }
}
