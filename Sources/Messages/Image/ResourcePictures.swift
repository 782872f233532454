import Foundation

/// Finds pictures for `UIImage(named:)`, in asset catalogues before files.
///
/// The folders are the program's own, and the resource folders beside it that SwiftPM makes.
enum ResourcePictures {
    static var folders: [URL] {
        let main = [Bundle.main.resourceURL, Bundle.main.bundleURL].compactMap(\.self)
        // A folder that cannot be listed counts as a folder without resources.
        let beside =
            (try? FileManager.default.contentsOfDirectory(
                at: Bundle.main.bundleURL,
                includingPropertiesForKeys: nil
            )) ?? []
        let resources = beside.filter { $0.pathExtension == "resources" }
        return main + resources.sorted { $0.path < $1.path }
    }

    /// The first picture called `name` in `folders`, never one outside of them.
    static func file(_ name: String, in folders: [URL]) -> PictureFile? {
        guard isInside(name) else { return nil }
        for folder in folders {
            for catalogue in AssetCatalogue.all(in: folder) {
                if let file = catalogue.picture(name) { return file }
            }
            if let path = path(name, in: folder) {
                return PictureFile(path: path, scale: scale(path))
            }
        }
        return nil
    }

    /// Whether a file has the extension of a format that messages can carry.
    static func isPicture(_ file: String) -> Bool {
        ImageFormat.isPicture(fileExtension: URL(fileURLWithPath: file).pathExtension)
    }

    private static func isInside(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return !name.isEmpty && !parts.contains("..") && !name.hasPrefix("/")
    }

    /// The path of the file called `name` in `folder`.
    ///
    /// `name` may lack the extension, and the file may have 2 or 3 pixels to a point.
    private static func path(_ name: String, in folder: URL) -> String? {
        let paths = candidates(name).map { folder.appendingPathComponent($0).path }
        return paths.first { path in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            return exists && !isFolder.boolValue
        }
    }

    /// The number of pixels to a point in a file, by its name: 2 for `cherry@2x.png`.
    static func scale(_ path: String) -> CGFloat {
        let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        return scales.first { stem.hasSuffix($0.suffix) }?.scale ?? 1
    }

    private static let scales: [(suffix: String, scale: CGFloat)] = [("@2x", 2), ("@3x", 3)]

    private static func candidates(_ name: String) -> [String] {
        let given = URL(fileURLWithPath: name).pathExtension
        let isKnown = ImageFormat.isPicture(fileExtension: given)
        let stem = isKnown ? String(name.dropLast(given.count + 1)) : name
        let suffixes = [""] + scales.map(\.suffix)
        return (isKnown ? [given] : ImageFormat.extensions).flatMap { ending in
            suffixes.map { "\(stem)\($0).\(ending)" }
        }
    }
}

/// A picture file, and the number of its pixels to a point.
struct PictureFile {
    let path: String
    let scale: CGFloat
}
