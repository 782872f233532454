import ParleyAPI
import ParleyProxy
import ParleyYAML

/// A list of proxies in a file, in which nothing is ignored, unlike in requests.
struct ProxyList {
    /// The names of the proxies.
    private(set) var names: Set<String> = []
    private let path: String

    private static let proxyKeys = [
        "name", "listen", "upstream", "enabled", "seed", "toxics", "Logger",
    ]
    private static let toxicKeys = [
        "name", "type", "stream", "toxicity", "attributes", "clients",
    ]

    /// Checks the names and values of the file.
    ///
    /// - Throws: `badInput` with the name that is none, or the value that makes no sense.
    init(_ bytes: [UInt8], path: String) throws(Problem) {
        self.path = path
        let json: JSONValue
        do {
            json = try JSONReader.read(bytes)
        } catch {
            throw problem("is not JSON: \(error.words)")
        }
        guard case .array(let proxies) = json else {
            throw problem("is no list of proxies.")
        }
        for proxy in proxies {
            try check(proxy, "a proxy", Self.proxyKeys)
            let name = proxy.text("name")
            guard names.insert(name).inserted || name.isEmpty else {
                throw problem("has two proxies with the name \(name).")
            }
            guard case .array(let toxics)? = proxy["toxics"] else { continue }
            for toxic in toxics { try check(toxic: toxic) }
        }
    }

    private func check(toxic: JSONValue) throws(Problem) {
        try check(toxic, "a toxic", Self.toxicKeys)
        let type = toxic.text("type")
        guard let kind = ToxicKind(rawValue: type) else {
            let hint = NearMiss.hint(for: type, among: ToxicKind.allCases.map(\.rawValue))
            throw problem("has a toxic of the type \(type).", hint: hint)
        }
        guard let attributes = toxic["attributes"] else { return }
        try check(attributes, type, kind.fields.map(\.name))
        for field in kind.fields {
            guard let value = attributes[field.name] else { continue }
            do {
                _ = try ToxicAttributes.json(value.text, of: field)
            } catch {
                throw problem("has a bad toxic: \(error.message)", hint: error.hint)
            }
        }
    }

    private func check(_ json: JSONValue, _ what: String, _ keys: [String]) throws(Problem) {
        guard case .object(let members) = json else { throw problem("has \(what) that is none.") }
        for member in members where !keys.contains(member.name) {
            throw problem(
                "has the key \(member.name), which \(what) has not.",
                hint: NearMiss.hint(for: member.name, among: keys)
            )
        }
    }

    private func problem(
        _ words: String,
        hint: String = "See the example in: parley help proxy run"
    ) -> Problem {
        .badInput("\(path) \(words)", hint: hint)
    }
}
