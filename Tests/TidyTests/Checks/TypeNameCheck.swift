/// Keeps the names of types apart: one name means one type in all targets of `Sources`.
///
/// Private types are seen in their file only, and nested ones are named with their outer type. The
/// sample apps are packages of their own to their authors.
enum TypeNameCheck {
    /// The one name that says the same in two targets: to `ParleyCore` a conversation is what nodes
    /// replicate, and to those who use `ParleyNode` the description of it.
    static let allowed: Set = ["Conversation"]

    static func findings(_ files: [SwiftFile]) -> [Finding] {
        var targets: [String: String] = [:]
        var findings: [Finding] = []
        for file in files {
            guard let target = file.target, !target.hasPrefix("Apps/") else { continue }
            for declaration in file.declarations where isSeen(declaration) {
                let first = targets[declaration.name, default: target]
                targets[declaration.name] = first
                guard first != target, !allowed.contains(declaration.name) else { continue }
                let message = "\(declaration.name) is a type of \(first) as well"
                findings.append(file.file.finding(declaration.firstLine, message))
            }
        }
        return findings
    }

    private static func isSeen(_ declaration: Declaration) -> Bool {
        guard declaration.parent == .file, !declaration.modifiers.contains("fileprivate") else {
            return false
        }
        let isType = !declaration.kind.isFunction && declaration.kind != .extension
        return isType && declaration.access != "private"
    }
}
