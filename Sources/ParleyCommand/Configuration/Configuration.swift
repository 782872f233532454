import Foundation
import ParleyAPI
import ParleyCore
import ParleyYAML

/// The options of a node in force, and the origin of each.
///
/// Options of the command precede the environment, the environment a file, and a file the
/// defaults.
struct Configuration: Sendable {
    /// Where a value came from.
    enum Origin: Equatable, Sendable {
        case standard
        case file(String, line: Int)
        case variable(String)
        case option
    }

    private(set) var options = NodeOptions()
    private var origins: [String: Origin] = [:]

    /// Gathers the options; `file` is the path of a YAML file, nil for none, and `given` has the
    /// values of the command's options by the names of their keys.
    ///
    /// - Throws: a problem with the file and the line, or the variable, and a cure.
    init(
        file: String?,
        environment: [String: String],
        given: [(name: String, value: YAMLNode)] = []
    ) throws(Problem) {
        if let file { try read(file) }
        for key in ConfigurationKey.all {
            // An empty variable counts as unset, as services set such variables.
            guard let text = environment[key.variable], !text.isEmpty else { continue }
            try set(key, key.value(ofVariable: text), from: .variable(key.variable))
        }
        for (name, value) in given {
            guard let key = ConfigurationKey.named(name) else { continue }
            try set(key, value, from: .option)
        }
        try checkTogether()
    }

    /// Where the value of a key came from.
    func origin(of key: ConfigurationKey) -> Origin { origins[key.name] ?? .standard }

    /// The keys whose values differ from those of `other`.
    func changes(from other: Self) -> [ConfigurationKey] {
        ConfigurationKey.all.filter { $0.text(options) != $0.text(other.options) }
    }

    // MARK: The file

    /// The largest file.
    private static let fileBytesMax = 256 << 10

    private mutating func read(_ path: String) throws(Problem) {
        let data = try SmallFile.contents(of: path, bytesMax: Self.fileBytesMax, "configuration")
        guard data.count <= Self.fileBytesMax else {
            throw Problem(.tooLarge, "\(path) has more than \(Self.fileBytesMax) bytes.")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw Problem(.badSetting, "\(path) is not text.", hint: "Save it as UTF-8.")
        }
        do {
            guard let root = try YAMLNode.read(text) else { return }
            try take(root, in: nil, of: path)
        } catch {
            throw FileProblem.at(
                path,
                line: error.line,
                .badSetting,
                error.message,
                hint: error.hint
            )
        }
    }

    private mutating func take(
        _ node: YAMLNode,
        in section: String?,
        of path: String
    ) throws(YAMLError) {
        guard case .map(let entries) = node.value else {
            // The keys of the section are all comments.
            if case .text("") = node.value { return }
            throw node.wrong(section ?? "the configuration", "a mapping", hint: "Write: KEY: VALUE")
        }
        for entry in entries {
            let name = section.map { "\($0).\(entry.key)" } ?? entry.key
            if let key = ConfigurationKey.named(name) {
                try key.set(entry.value, &options)
                origins[name] = .file(path, line: entry.line)
            } else if ConfigurationKey.all.contains(where: { $0.name.hasPrefix("\(name).") }) {
                try take(entry.value, in: name, of: path)
            } else {
                throw .unknownKey(
                    entry.key,
                    of: section ?? "the configuration",
                    known: Self.keys(in: section),
                    line: entry.line
                )
            }
        }
    }

    /// The keys and sections of a section, each once.
    private static func keys(in section: String?) -> [String] {
        let prefix = section.map { "\($0)." } ?? ""
        var keys: [String] = []
        for key in ConfigurationKey.all where key.name.hasPrefix(prefix) {
            let word = String(key.name.dropFirst(prefix.count).prefix { $0 != "." })
            if !keys.contains(word) { keys.append(word) }
        }
        return keys
    }

    // MARK: Single values

    private mutating func set(
        _ key: ConfigurationKey,
        _ value: YAMLNode,
        from origin: Origin
    ) throws(Problem) {
        do {
            try key.set(value, &options)
        } catch {
            let place = place(origin, key)
            let text = error.message.replacing(key.name, with: place, maxReplacements: 1)
            throw Problem(.badSetting, text, hint: error.hint)
        }
        origins[key.name] = origin
    }

    private func place(_ origin: Origin, _ key: ConfigurationKey) -> String {
        switch origin {
        case .variable(let name): name
        default: key.name
        }
    }

    // MARK: Values together

    /// Refuses values that exclude one another.
    private func checkTogether() throws(Problem) {
        if options.isRelay, !(options.web.map(NodeOptions.isOff) ?? true) {
            throw refusal("web", "A relay serves no page: web and relay exclude each other.")
        }
        if options.isRelay, !options.headless.isEmpty {
            throw refusal(
                "headless",
                "A relay runs no apps: headless and relay exclude each other."
            )
        }
        let limits = options.limits
        if limits.strangersPerSource > limits.strangers {
            throw refusal(
                "limits.strangers-per-address",
                "limits.strangers-per-address is more than limits.strangers."
            )
        }
        let (one, open) = (limits.quota, limits.openQuota)
        try checkPart("device", one.device, of: "conversation", one.conversation)
        try checkPart("open-device", open.device, of: "open-conversation", open.conversation)
        try checkPart(
            "open-conversation",
            open.conversation,
            of: "open-conversations",
            limits.openConversations
        )
    }

    /// Refuses a quota of a part that exceeds the quota of the whole.
    private func checkPart(
        _ part: String,
        _ amount: KeptAmount,
        of whole: String,
        _ limit: KeptAmount
    ) throws(Problem) {
        let pairs = [
            ("sessions", amount.heads, limit.heads), ("bytes", amount.bytes, limit.bytes),
            ("writers", amount.origins, limit.origins),
        ]
        for (name, amount, limit) in pairs where amount > limit {
            let (part, whole) = ("quotas.\(part).\(name)", "quotas.\(whole).\(name)")
            throw refusal(
                origins[part] == nil ? whole : part,
                "\(part) is more than \(whole), of which it is a part."
            )
        }
    }

    private func refusal(_ name: String, _ message: String) -> Problem {
        let hint = "Change one of them."
        guard case .file(let path, let line)? = origins[name] else {
            return Problem(.badSetting, message, hint: hint)
        }
        return FileProblem.at(path, line: line, .badSetting, message, hint: hint)
    }
}
