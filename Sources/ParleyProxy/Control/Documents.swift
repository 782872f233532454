/// The JSON of proxies and toxics, with the keys in Toxiproxy's order.
extension Toxic {
    package var json: String {
        let attributes = shown.map { field, value in
            let json =
                switch value {
                case .integer(let number): "\(number)"
                case .number(let number): JSONText.number(number)
                case .word(let word): JSONText.string(word)
                }
            return (field.name, json)
        }
        var members = [
            (name: "attributes", json: JSONText.object(attributes)),
            ("name", JSONText.string(name)), ("type", JSONText.string(kind.rawValue)),
            ("stream", JSONText.string(streamText)), ("toxicity", JSONText.number(toxicity)),
        ]
        if !clients.isEmpty {
            let texts = clients.map { JSONText.string($0.text) }
            members.append(("clients", JSONText.array(texts)))
        }
        return JSONText.object(members)
    }

    /// Reads a toxic; what is checked first is what Toxiproxy checks first.
    init(_ json: JSONValue) throws(ControlProblem) {
        let fields = try GoFields(json, of: "toxics.ToxicWrapper", path: "ToxicWrapper")
        let stream = try fields.string("stream") ?? StreamDirection.downstream.rawValue
        let name = try fields.string("name") ?? ""
        let type = try fields.string("type") ?? ""
        let toxicity = try fields.float("toxicity") ?? 1
        _ = try fields.object("attributes", of: "NoopToxic")
        guard Toxic(.noop, stream: stream) != nil else { throw .invalidStream }
        guard let kind = ToxicKind(rawValue: type),
            let made = Toxic(
                kind,
                name: name.isEmpty ? nil : name,
                stream: stream,
                toxicity: toxicity
            )
        else { throw .invalidType }
        self = made
        for client in try fields.array("clients", type: "[]string") ?? [] {
            guard case .string(let text) = client, let range = AddressRange(text) else {
                throw .badBody("a client is an address or a range such as 10.0.0.0/8")
            }
            clients.append(range)
        }
    }

    /// Takes the toxicity of a request, if it names one.
    mutating func takeToxicity(_ json: JSONValue) throws(ControlProblem) {
        let fields = try GoFields(json, of: Self.updateType, path: "")
        toxicity = try fields.float("toxicity") ?? toxicity
    }

    /// The type in Go of an update, which has no name.
    private static let updateType =
        "struct { Attributes interface {} \"json:\\\"attributes\\\"\"; "
        + "Toxicity float32 \"json:\\\"toxicity\\\"\" }"

    /// Takes the attributes of a request; those that it does not name stay.
    mutating func take(_ json: JSONValue) throws(ControlProblem) {
        let fields = try GoFields(json, of: Self.updateType, path: "")
            .object("attributes", of: kind.goName)
        for field in kind.fields {
            switch field.standard {
            case .integer:
                let type = kind == .slicer ? "int" : "int64"
                if let number = try fields.integer(field.name, type: type) {
                    self[field] = .integer(number)
                }
            case .number:
                if let number = try fields.double(field.name) { self[field] = .number(number) }
            case .word:
                guard let word = try fields.string(field.name) else { continue }
                guard field.words.contains(word) else {
                    throw .badBody("\(field.name) is \(field.unit), not \(word)")
                }
                self[field] = .word(word)
            }
        }
    }
}

extension ToxicKind {
    /// The name of the type in Toxiproxy, which is in its errors.
    fileprivate var goName: String {
        let words = rawValue.split(separator: "_").map {
            $0.prefix(1).uppercased() + $0.dropFirst()
        }
        return self == .resetPeer ? "ResetToxic" : words.joined() + "Toxic"
    }
}

extension ProxyEntry {
    var json: String {
        JSONText.object([
            ("name", JSONText.string(name)), ("listen", JSONText.string(listen)),
            ("upstream", JSONText.string(upstream)), ("enabled", isEnabled ? "true" : "false"),
            // The logger of Toxiproxy, which its JSON has by accident.
            ("Logger", "{}"), ("toxics", JSONText.array(listed.map(\.json))),
        ])
    }
}

extension ProxyDraft {
    /// The type in Go of an entry of a list, which has no name.
    static let entryType =
        "struct { toxiproxy.Proxy; Enabled *bool \"json:\\\"enabled\\\"\" }"

    /// Reads a proxy, whose missing fields stay as they are; an entry of a list has other errors.
    mutating func take(_ json: JSONValue, isEntry: Bool = false) throws(ControlProblem) {
        let type = isEntry ? Self.entryType : "toxiproxy.Proxy"
        let fields = try GoFields(json, of: type, path: isEntry ? ".Proxy" : "Proxy")
        let outer = try GoFields(json, of: type, path: isEntry ? "" : "Proxy")
        name = try fields.string("name") ?? name
        listen = try fields.string("listen") ?? listen
        upstream = try fields.string("upstream") ?? upstream
        isEnabled = try outer.bool("enabled") ?? isEnabled
        seed = try fields.integer("seed").map { UInt64(bitPattern: $0) } ?? seed
    }

    /// Reads the toxics that the proxy has from its begin, each of another name.
    mutating func takeToxics(_ json: JSONValue) throws(ControlProblem) {
        let fields = try GoFields(json, of: "toxiproxy.Proxy", path: "Proxy")
        for one in try fields.array("toxics", type: "[]toxics.Toxic") ?? [] {
            var toxic = try Toxic(one)
            try toxic.take(one)
            guard !toxics.contains(where: { $0.name == toxic.name }) else { throw .toxicExists }
            toxics.append(toxic)
        }
    }

    /// Checks that a proxy has what it needs; `place` says where it stands in a list.
    ///
    /// - Throws: `missing` with the field and the place.
    func check(place: String) throws(ControlProblem) {
        if name.isEmpty { throw .missing("name" + place) }
        if upstream.isEmpty { throw .missing("upstream" + place) }
    }

    /// Reads a list of proxies.
    static func list(_ body: [UInt8]) throws(ControlProblem) -> [ProxyDraft] {
        let json = try FaultProxies.json(body)
        guard json != .null else { return [] }
        guard case .array(let values) = json else {
            throw GoFields.mismatch(json.kindWord, "value of type []\(ProxyDraft.entryType)")
        }
        var drafts: [ProxyDraft] = []
        for value in values {
            var draft = ProxyDraft()
            try draft.take(value, isEntry: true)
            drafts.append(draft)
        }
        for (index, draft) in drafts.enumerated() {
            try draft.check(place: " at proxy \(index + 1)")
        }
        for (index, value) in values.enumerated() { try drafts[index].takeToxics(value) }
        return drafts
    }
}
