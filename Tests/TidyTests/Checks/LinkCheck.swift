import Foundation

/// Every relative link in a Markdown file leads to a file or folder of the project, and its anchor
/// to a heading there.
enum LinkCheck {
    static func findings(_ file: TreeFile, in files: [TreeFile]) -> [Finding] {
        prose(file).flatMap { line, text in
            targets(text).compactMap { target in
                problem(target, from: file, in: files).map { file.finding(line, $0) }
            }
        }
    }

    /// The names by which headings can be linked, as the usual viewers make them.
    static func anchors(_ file: TreeFile) -> Set<String> {
        var anchors: Set<String> = []
        for (_, text) in prose(file, keepsCode: true) where text.hasPrefix("#") {
            let heading = text.drop { $0 == "#" }
            guard heading.hasPrefix(" ") else { continue }
            let title = heading.trimmingCharacters(in: .whitespaces).lowercased()
            let anchor = title.replacing(" ", with: "-").filter {
                $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_"
            }
            var unique = anchor
            var count = 0
            while anchors.contains(unique) {
                count += 1
                unique = "\(anchor)-\(count)"
            }
            anchors.insert(unique)
        }
        return anchors
    }

    /// The lines outside fenced blocks, without what stands between backticks unless `keepsCode`.
    private static func prose(_ file: TreeFile, keepsCode: Bool = false) -> [(Int, String)] {
        var isFenced = false
        return file.lines.enumerated().compactMap { index, line in
            let isFence = line.drop { $0 == " " }.hasPrefix("```")
            if isFence { isFenced.toggle() }
            guard !isFence, !isFenced else { return nil }
            guard !keepsCode else { return (index, line) }
            let parts = line.split(separator: "`", omittingEmptySubsequences: false)
            let outside = parts.indices.filter { $0.isMultiple(of: 2) }.map { parts[$0] }
            return (index, outside.joined(separator: " "))
        }
    }

    /// The targets of `[text](target)` and `[name]: target` in a line.
    private static func targets(_ text: String) -> [String] {
        let inline = text.matches(of: /\]\(\s*<?([^)>\s]+)/).map { String($0.output.1) }
        let reference = text.prefixMatch(of: /\s*\[[^\]]+\]:\s+(\S+)/).map { String($0.output.1) }
        return inline + (reference.map { [$0] } ?? [])
    }

    private static func problem(
        _ target: String,
        from file: TreeFile,
        in files: [TreeFile]
    ) -> String? {
        if target.prefixMatch(of: /[a-z][a-z0-9+.-]*:/) != nil { return nil }
        if target.hasPrefix("/") { return "\(target): a link is relative to its file" }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = resolve(parts[0].removingPercentEncoding ?? "", from: file.path)
        let isThere = files.contains { $0.path == path || $0.path.hasPrefix(path + "/") }
        guard path.isEmpty || isThere else { return "\(target) leads nowhere" }
        guard parts.count == 2 else { return nil }
        guard let page = files.first(where: { $0.path == path }), page.isMarkdown else {
            return "\(target): there are no anchors in \(path)"
        }
        return anchors(page).contains(String(parts[1])) ? nil : "\(target): no such heading"
    }

    /// `link`, relative to the folder of `path`, as a path from the root; an empty one is the file.
    private static func resolve(_ link: String, from path: String) -> String {
        if link.isEmpty { return path }
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in link.split(separator: "/") {
            switch part {
            case ".": continue
            case "..": _ = parts.popLast()
            default: parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }
}
