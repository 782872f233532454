/// Asks for a doc comment on what other targets see, unless name and type say it all.
///
/// Every type needs one, but for an enum inside a type, whose cases speak. A function or
/// initialiser needs one if it takes more than one argument, takes none and gives nothing back,
/// waits, or throws who knows what; not if it only stores its arguments, is an operator, or meets a
/// requirement, which is where the comment then is.
enum DocumentationCheck {
    /// The missing comments of `file`; `requirements` are the names that `requirements(_:)` finds.
    static func findings(_ file: SwiftFile, requirements: Set<String>) -> [Finding] {
        file.declarations
            .filter { isSeen($0) && !$0.isDocumented && !saysItAll($0, requirements) }
            .map { file.file.finding($0.firstLine, "\($0.name) has no doc comment") }
    }

    /// The functions that protocols of ours or of the libraries ask for.
    static func requirements(_ files: [SwiftFile]) -> Set<String> {
        let ours = files.flatMap(\.declarations).filter { $0.parent == .protocol }.map(\.name)
        return libraryRequirements.union(ours)
    }

    private static let libraryRequirements: Set = [
        "hash(into:)", "encode(to:)", "init(from:)", "makeIterator()", "next()", "run()",
        "validate()", "enqueue(_:)", "checkIsolated()", "asUnownedSerialExecutor()",
    ]

    /// The requirements of a protocol are as visible as the protocol, so they count as well.
    private static func isSeen(_ declaration: Declaration) -> Bool {
        if declaration.parent == .protocol { return true }
        guard let access = declaration.access else { return false }
        return ["open", "public", "package"].contains(access) && declaration.kind != .extension
    }

    private static func saysItAll(_ declaration: Declaration, _ requirements: Set<String>) -> Bool {
        guard declaration.kind.isFunction else {
            return declaration.kind == .enum && declaration.parent == .type
        }
        if declaration.parent == .conformance { return true }
        if declaration.parent != .protocol, requirements.contains(declaration.name) { return true }
        if !SwiftToken.isWord(declaration.name) || isMemberwise(declaration) { return true }
        let arguments = declaration.name.filter { $0 == ":" }.count
        let says = declaration.kind != .func || declaration.returns || arguments == 1
        return says && arguments <= 1 && !declaration.isAsync && !declaration.throwsAnything
    }

    /// Whether an initialiser does nothing but `self.a = a`, or `a = (b, c)`.
    private static func isMemberwise(_ declaration: Declaration) -> Bool {
        guard declaration.kind == .`init`, declaration.parent != .protocol else { return false }
        var rest = declaration.body.filter { !["self", ".", "(", ")"].contains($0) }[...]
        while let property = rest.popFirst() {
            guard SwiftToken.isWord(property), rest.popFirst() == "=" else { return false }
            repeat {
                guard let value = rest.popFirst(), SwiftToken.isWord(value) else { return false }
            } while takes(",", from: &rest)
        }
        return true
    }

    private static func takes(_ token: String, from tokens: inout ArraySlice<String>) -> Bool {
        guard tokens.first == token else { return false }
        tokens.removeFirst()
        return true
    }
}
