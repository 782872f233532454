import ParleyAPI
import ParleyYAML

/// A key of the configuration: its name in a file, and the part of the options that the key sets.
struct ConfigurationKey: Sendable {
    /// The part of the options that a key of some type sets.
    typealias Place<Value> = any WritableKeyPath<NodeOptions, Value> & Sendable
    /// Refuses a text; the error is a sentence.
    typealias Check = @Sendable (String) throws -> Void

    /// The name with the names of the sections around it, such as `limits.links`.
    let name: String
    /// The purpose of the key, in one line.
    let meaning: String
    /// Sets the value in the options of a node.
    let set: @Sendable (YAMLNode, inout NodeOptions) throws(YAMLError) -> Void
    /// The value as written in a file; nil if there is none.
    let text: @Sendable (NodeOptions) -> String?
    /// Whether the value is a list.
    var isList = false
    /// Whether a reload changes the value in a running node.
    var isReloaded = false

    /// The environment variable that sets the key.
    var variable: String {
        let word = name.uppercased().map { ".-".contains($0) ? "_" : $0 }
        return "PARLEY_" + String(word)
    }

    /// The same key, changed by a reload.
    var reloaded: Self {
        var key = self
        key.isReloaded = true
        return key
    }

    /// The value of an environment variable, in which commas separate the texts of a list.
    func value(ofVariable text: String) -> YAMLNode {
        guard isList else { return YAMLNode(text: text) }
        let texts = text.split(separator: ",").map { YAMLNode(text: String($0)) }
        return YAMLNode(line: 0, value: .list(texts))
    }

    // MARK: Kinds

    static func text(
        _ name: String,
        _ place: Place<String?>,
        _ meaning: String,
        check: @escaping Check
    ) -> Self {
        Self(
            name: name,
            meaning: meaning,
            set: { node, options throws(YAMLError) in
                options[keyPath: place] = try checked(node, name, check)
            },
            text: { $0[keyPath: place] }
        )
    }

    static func texts(
        _ name: String,
        _ place: Place<[String]>,
        _ meaning: String,
        check: @escaping Check
    ) -> Self {
        Self(
            name: name,
            meaning: meaning,
            set: { node, options throws(YAMLError) in
                var values: [String] = []
                for element in node.oneOrMore { values.append(try checked(element, name, check)) }
                options[keyPath: place] = values
            },
            text: { options in
                let values = options[keyPath: place]
                return values.isEmpty ? nil : "[\(values.joined(separator: ", "))]"
            },
            isList: true
        )
    }

    static func yesOrNo(_ name: String, _ place: Place<Bool>, _ meaning: String) -> Self {
        Self(
            name: name,
            meaning: meaning,
            set: { node, options throws(YAMLError) in
                options[keyPath: place] = try node.yesOrNo(name)
            },
            text: { $0[keyPath: place] ? "yes" : "no" }
        )
    }

    static func number(
        _ name: String,
        _ place: Place<Int>,
        _ range: ClosedRange<Int>,
        _ meaning: String
    ) -> Self {
        Self(
            name: name,
            meaning: meaning,
            set: { node, options throws(YAMLError) in
                options[keyPath: place] = try node.number(name, in: range)
            },
            text: { "\($0[keyPath: place])" }
        )
    }

    static func size(
        _ name: String,
        _ place: Place<Int>,
        _ range: ClosedRange<Int>,
        _ meaning: String
    ) -> Self {
        Self(
            name: name,
            meaning: meaning,
            set: { node, options throws(YAMLError) in
                options[keyPath: place] = try node.size(name, in: range)
            },
            text: { ByteSize.text($0[keyPath: place]) }
        )
    }

    /// One of a fixed set of words.
    static func choice<Choice: CaseIterable & RawRepresentable<String> & SendableMetatype>(
        _ name: String,
        of type: Choice.Type,
        _ meaning: String,
        set: @escaping @Sendable (Choice, inout NodeOptions) -> Void,
        get: @escaping @Sendable (NodeOptions) -> Choice?
    ) -> Self {
        Self(
            name: name,
            meaning: meaning,
            set: { node, options throws(YAMLError) in
                set(try node.choice(name, of: Choice.self), &options)
            },
            text: { get($0)?.rawValue }
        )
    }

    private static func checked(
        _ node: YAMLNode,
        _ name: String,
        _ check: Check
    ) throws(YAMLError) -> String {
        let text = try node.text(name)
        do {
            try check(text)
        } catch {
            let problem = FailureReport.problem(error)
            throw YAMLError(
                .badValue,
                line: node.line,
                "\(name): \(problem.message)",
                hint: problem.hint
            )
        }
        return text
    }
}
