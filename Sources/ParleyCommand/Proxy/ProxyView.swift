import ParleyProxy

/// A proxy as its JSON describes it, for people.
struct ProxyView {
    let name: String
    let listen: String
    let upstream: String
    let state: String
    let toxics: [ToxicView]

    init(_ json: JSONValue) {
        name = TerminalText.safe(json.text("name"))
        listen = json.text("listen")
        upstream = TerminalText.safe(json.text("upstream"))
        state = json["enabled"] == .bool(true) ? "enabled" : "disabled"
        guard case .array(let values)? = json["toxics"] else {
            toxics = []
            return
        }
        toxics = values.map(ToxicView.init)
    }
}

/// A toxic as its JSON describes it, for people.
struct ToxicView {
    let name: String
    let type: String
    let stream: String
    let toxicity: String
    /// As in `latency=100 jitter=5`.
    let attributes: String

    init(_ json: JSONValue) {
        name = TerminalText.safe(json.text("name"))
        type = json.text("type")
        stream = json.text("stream")
        toxicity = json.text("toxicity")
        guard case .object(let members)? = json["attributes"] else {
            attributes = ""
            return
        }
        attributes = members.map { "\($0.name)=\($0.value.text)" }.joined(separator: " ")
    }
}

extension JSONValue {
    /// A text or a number; empty for others.
    var text: String {
        switch self {
        case .string(let text), .number(let text): text
        case .null, .bool, .array, .object: ""
        }
    }

    func text(_ name: String) -> String { self[name]?.text ?? "" }
}
