/// A Swift file with its code and its comments apart.
struct SwiftFile: Sendable {
    let file: TreeFile
    /// The lines without comments, the contents of string and regex literals blanked.
    let code: [String]
    /// The comment on each line with its slashes, or an empty string.
    let comments: [String]
    let declarations: [Declaration]

    init(_ file: TreeFile) {
        self.file = file
        let text = SwiftLexer.separate(file.text)
        code = text.code
        comments = text.comments
        declarations = DeclarationScanner.scan(code: text.code, comments: text.comments)
    }

    init(_ path: String, _ text: String) {
        self.init(TreeFile(path, text))
    }

    var path: String { file.path }

    /// The target in `Sources`, such as `ParleyCore` or `Apps/Chess`; nil elsewhere.
    var target: String? {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count > 2, parts[0] == "Sources" else { return nil }
        return parts[1] == "Apps" && parts.count > 3 ? "Apps/\(parts[2])" : parts[1]
    }
}
