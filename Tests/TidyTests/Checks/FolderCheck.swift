/// The folders of a target have an order, in which each uses only types of earlier ones.
///
/// A type is used where its name stands. A name that several folders declare says nothing.
enum FolderCheck {
    /// The uses between folders that keep the folders of a target from having an order.
    static func findings(_ files: [SwiftFile]) -> [Finding] {
        Dictionary(grouping: files) { $0.target ?? "" }
            .filter { !$0.key.isEmpty }
            .values.flatMap { cycles(uses($0)) }
            .sorted { $0.description < $1.description }
    }

    private struct Use {
        let from: String
        let to: String
        let finding: Finding
    }

    private static func uses(_ files: [SwiftFile]) -> [Use] {
        var folders: [String: Set<String>] = [:]
        for file in files {
            for declaration in file.declarations where isType(declaration) {
                folders[declaration.name, default: []].insert(folder(file))
            }
        }
        return files.flatMap { file in
            let names = Set(SwiftToken.tokens(file.code).map(\.text))
            return names.compactMap { name -> Use? in
                guard let owners = folders[name], owners.count == 1, let owner = owners.first,
                    owner != folder(file)
                else { return nil }
                let message = "\(name) is of the folder \(owner), which uses this one"
                return Use(from: folder(file), to: owner, finding: file.file.finding(0, message))
            }
        }
    }

    private static func isType(_ declaration: Declaration) -> Bool {
        declaration.parent == .file && !declaration.kind.isFunction
            && declaration.kind != .extension
    }

    /// The folder below that of the target.
    private static func folder(_ file: SwiftFile) -> String {
        let target = "Sources/" + (file.target ?? "") + "/"
        let rest = file.path.dropFirst(target.count).split(separator: "/")
        return rest.count > 1 ? String(rest[0]) : "itself"
    }

    /// The uses that are left once folders are taken away that use no other, or that no other uses.
    private static func cycles(_ uses: [Use]) -> [Finding] {
        var left = uses
        while true {
            let users = Set(left.map(\.from))
            let used = Set(left.map(\.to))
            let inside = left.filter { users.contains($0.to) && used.contains($0.from) }
            guard inside.count < left.count else { return left.map(\.finding) }
            left = inside
        }
    }
}
