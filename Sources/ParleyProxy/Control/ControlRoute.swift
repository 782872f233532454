/// The subject of a request; paths and methods are those of Toxiproxy.
enum ControlRoute: Hashable {
    case reset
    case proxies
    case populate
    case proxy(String)
    case toxics(proxy: String)
    case toxic(proxy: String, String)
    case counters(proxy: String)
    case connectionsOf(proxy: String)
    case version
    case metrics
    case connections
    case connection(UInt64)

    /// The route of a path; nil if there is none.
    init?(path: String) {
        guard path.hasPrefix("/") else { return nil }
        // A name may have a slash, which is then escaped.
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map { Self.decoded($0) ?? "" }
        guard !parts.contains("") else { return nil }
        switch (parts[0], parts.count) {
        case ("reset", 1): self = .reset
        case ("proxies", 1): self = .proxies
        case ("populate", 1): self = .populate
        case ("version", 1): self = .version
        case ("metrics", 1): self = .metrics
        case ("connections", 1): self = .connections
        case ("connections", 2):
            guard let number = UInt64(parts[1]) else { return nil }
            self = .connection(number)
        case ("proxies", 2): self = .proxy(parts[1])
        case ("proxies", 3) where parts[2] == "toxics": self = .toxics(proxy: parts[1])
        case ("proxies", 3) where parts[2] == "counters":
            self = .counters(proxy: parts[1])
        case ("proxies", 3) where parts[2] == "connections":
            self = .connectionsOf(proxy: parts[1])
        case ("proxies", 4) where parts[2] == "toxics":
            self = .toxic(proxy: parts[1], parts[3])
        default: return nil
        }
    }

    func allows(_ method: String) -> Bool {
        switch self {
        case .reset, .populate: method == "POST"
        case .proxies, .toxics: method == "GET" || method == "POST"
        case .proxy, .toxic: ["GET", "POST", "PATCH", "DELETE"].contains(method)
        case .version, .connections, .counters: method == "GET"
        case .connectionsOf: method == "DELETE"
        case .connection: method == "GET" || method == "DELETE"
        // Go has no restriction there.
        case .metrics: true
        }
    }

    private static func decoded(_ path: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = path.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).map { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == 2, let high = digits[0], let low = digits[1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
