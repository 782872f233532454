import Foundation

/// Finds pictures in the asset catalogues of Xcode, which are folders called `*.xcassets`.
///
/// A picture in a catalogue is a folder `NAME.imageset` whose `Contents.json` names the files.
///
/// Apple's documentation of the format: Asset Catalog Format Reference, "Image Set Type".
struct AssetCatalogue {
    /// The most files and folders to search in a catalogue for one picture.
    private static let entriesMax = 20_000
    /// The largest `Contents.json`, in bytes.
    private static let contentsBytesMax = 256 * 1_024

    private let folder: URL

    /// The catalogues directly in `folder`, sorted by name.
    static func all(in folder: URL) -> [AssetCatalogue] {
        // A folder that cannot be listed counts as a folder without catalogues.
        let entries =
            (try? FileManager.default.contentsOfDirectory(
                at: folder,
                includingPropertiesForKeys: nil
            )) ?? []
        return entries.filter { $0.pathExtension == "xcassets" }
            .sorted { $0.path < $1.path }
            .map { AssetCatalogue(folder: $0) }
    }

    /// The file of the image set called `name` that a screen of many pixels would show.
    ///
    /// The name of a picture in a group that provides a namespace begins with the group's name and
    /// a slash.
    func picture(_ name: String) -> PictureFile? {
        guard let last = name.split(separator: "/").last, !name.hasSuffix("/") else { return nil }
        let files = FileManager.default.enumerator(
            at: folder,
            includingPropertiesForKeys: nil
        )
        var count = 0
        while let found = files?.nextObject() as? URL, count < Self.entriesMax {
            count += 1
            guard found.lastPathComponent == "\(last).imageset", self.name(of: found) == name else {
                continue
            }
            return Self.best(in: found)
        }
        return nil
    }

    /// The name by which programs know an image set.
    private func name(of imageSet: URL) -> String {
        var name = imageSet.deletingPathExtension().lastPathComponent
        var group = imageSet.deletingLastPathComponent()
        while group.path.count > folder.path.count {
            if Self.contents(of: group)?.properties?.providesNamespace == true {
                name = group.lastPathComponent + "/" + name
            }
            group.deleteLastPathComponent()
        }
        return name
    }

    private static func best(in imageSet: URL) -> PictureFile? {
        let images = contents(of: imageSet)?.images ?? []
        let files = images.compactMap { image -> (image: Contents.Image, file: PictureFile)? in
            guard let name = image.filename, !name.contains("/"),
                ResourcePictures.isPicture(name)
            else { return nil }
            let path = imageSet.appendingPathComponent(name).path
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            return (image, PictureFile(path: path, scale: image.pixelsToAPoint))
        }
        // The earlier of equals is kept, so that the file decides.
        var best = files.first
        for next in files where next.image.rank > best?.image.rank ?? 0 { best = next }
        return best?.file
    }

    private static func contents(of folder: URL) -> Contents? {
        let file = LocalFile(folder.appendingPathComponent("Contents.json"))
        // A folder without readable contents is one without pictures.
        guard let data = try? file.read(bytesMax: contentsBytesMax) else { return nil }
        return try? JSONDecoder().decode(Contents.self, from: data)
    }
}

/// The parts of a `Contents.json` that choose a picture.
private struct Contents: Decodable {
    let images: [Image]?
    let properties: Properties?

    struct Properties: Decodable {
        let providesNamespace: Bool?

        enum CodingKeys: String, CodingKey {
            case providesNamespace = "provides-namespace"
        }
    }

    struct Image: Decodable {
        let filename: String?
        let idiom: String?
        let scale: String?
        let appearances: [Appearance]?

        struct Appearance: Decodable {}

        /// The number before the "x"; a picture without a scale has one pixel to a point.
        var pixelsToAPoint: CGFloat {
            ["2x": 2, "3x": 3][scale ?? ""] ?? 1
        }

        /// The highest rank is shown; usual appearance counts first, then all devices, then pixels.
        var rank: Int {
            let isUsual = (appearances ?? []).isEmpty
            let isForAll = idiom == nil || idiom == "universal"
            return (isUsual ? 100 : 0) + (isForAll ? 10 : 0) + Int(pixelsToAPoint)
        }
    }
}
