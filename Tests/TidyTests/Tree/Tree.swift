import Foundation

/// The text files of the project, read once, and its pictures, as files without lines.
enum Tree {
    static let files: [TreeFile] = read()

    /// The files whose Swift the rules are about.
    static let swift: [SwiftFile] = files.filter(\.isSwift).map(SwiftFile.init)

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Folders that hold nothing of ours.
    private static let skipped: Set = [".build", ".git", ".swiftpm"]

    /// Larger files are data, not text that somebody reads.
    private static let bytesMax = 1 << 20

    private static func read() -> [TreeFile] {
        guard let paths = FileManager.default.enumerator(atPath: root.path) else { return [] }
        var files: [TreeFile] = []
        while let path = paths.nextObject() as? String {
            if skipped.contains(path) {
                paths.skipDescendants()
            } else if let file = file(path) {
                files.append(file)
            }
        }
        return files.sorted { $0.path < $1.path }
    }

    /// The file at `path`, or nil for a folder, a link, and bytes that are neither text nor a PNG.
    private static func file(_ path: String) -> TreeFile? {
        let absolute = root.path + "/" + path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: absolute),
            attributes[.type] as? FileAttributeType == .typeRegular,
            let size = attributes[.size] as? Int, size <= bytesMax,
            let text = path.hasSuffix(".png")
                ? "" : try? String(contentsOfFile: absolute, encoding: .utf8)
        else { return nil }
        let mode = attributes[.posixPermissions] as? Int ?? 0
        return TreeFile(path, text, isExecutable: mode & 0o111 != 0)
    }
}
