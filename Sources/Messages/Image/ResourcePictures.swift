import Foundation

/// Where `UIImage(named:)` looks: the program's folder, and the folders of resources that SwiftPM
/// puts beside it.
enum ResourcePictures {
    private static let extensions = ["png", "jpg", "jpeg", "gif", "webp", "svg"]

    static var folders: [URL] {
        let main = [Bundle.main.resourceURL, Bundle.main.bundleURL].compactMap(\.self)
        // A folder that cannot be listed has no resources for us.
        let beside =
            (try? FileManager.default.contentsOfDirectory(
                at: Bundle.main.bundleURL,
                includingPropertiesForKeys: nil
            )) ?? []
        let resources = beside.filter { $0.pathExtension == "resources" }
        return main + resources.sorted { $0.path < $1.path }
    }

    /// The file called `name` in the first of `folders` that has one; never outside of them.
    ///
    /// With or without its extension, and also as a picture of 2 or 3 pixels to a point.
    static func path(_ name: String, in folders: [URL]) -> String? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.isEmpty, !parts.contains(".."), !name.hasPrefix("/") else { return nil }
        let names = candidates(name)
        for folder in folders {
            for name in names {
                let path = folder.appendingPathComponent(name).path
                var isFolder: ObjCBool = false
                let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                if exists, !isFolder.boolValue { return path }
            }
        }
        return nil
    }

    /// How many pixels make a point in a file of that path, as its name says: `cherry@2x.png`.
    static func scale(_ path: String) -> CGFloat {
        let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        return scales.first { stem.hasSuffix($0.suffix) }?.scale ?? 1
    }

    private static let scales: [(suffix: String, scale: CGFloat)] = [("@2x", 2), ("@3x", 3)]

    private static func candidates(_ name: String) -> [String] {
        let given = URL(fileURLWithPath: name).pathExtension
        let isKnown = extensions.contains(given.lowercased())
        let stem = isKnown ? String(name.dropLast(given.count + 1)) : name
        let suffixes = [""] + scales.map(\.suffix)
        return (isKnown ? [given] : extensions).flatMap { ending in
            suffixes.map { "\(stem)\($0).\(ending)" }
        }
    }
}
