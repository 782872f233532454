import Foundation
import Messages
import Testing

/// `UIImage(named:)` finds a picture of an asset catalogue by the name of its image set.
@Suite struct AssetCatalogueTests {
    @Test func theNameIsThatOfTheImageSet() throws {
        let catalogue = try Catalogue()
        try catalogue.add(
            "Fruit/Cherry",
            #"{"images": [{"idiom": "universal", "filename": "photo 7.png", "scale": "1x"}]}"#,
            ["photo 7.png": 7]
        )
        #expect(catalogue.image("Cherry")?.size.width == 7)
        #expect(catalogue.image("photo 7") == nil, "the file's name is not the picture's")
        #expect(catalogue.image("Fruit/Cherry") == nil, "the group has no namespace")
        #expect(catalogue.image("../Assets.xcassets/Cherry") == nil)
        #expect(catalogue.image("") == nil)
    }

    @Test func takesTheMostPixelsOfTheUsualLook() throws {
        let catalogue = try Catalogue()
        try catalogue.add(
            "Fig",
            """
            {"images": [
                {"idiom": "universal", "scale": "1x", "filename": "a.png"},
                {"idiom": "universal", "scale": "3x", "filename": "c.png"},
                {"idiom": "universal", "scale": "2x", "filename": "b.png"},
                {"idiom": "universal", "scale": "3x", "filename": "missing.png"},
                {"idiom": "universal", "scale": "3x", "filename": "dark.png",
                 "appearances": [{"appearance": "luminosity", "value": "dark"}]},
                {"idiom": "watch", "scale": "3x", "filename": "watch.png"},
                {"idiom": "universal"}
            ], "info": {"version": 1, "author": "xcode"}}
            """,
            ["a.png": 10, "b.png": 20, "c.png": 30, "dark.png": 31, "watch.png": 32]
        )
        let fig = try #require(catalogue.image("Fig"))
        #expect(fig.scale == 3 && fig.size.width == 10)
    }

    @Test func groupsMayHaveNamespaces() throws {
        let catalogue = try Catalogue()
        let set = #"{"images": [{"filename": "a.png"}]}"#
        try catalogue.add("Dark/Pear", set, ["a.png": 5])
        try catalogue.add("Pear", set, ["a.png": 6])
        try catalogue.write("Dark/Contents.json", #"{"properties": {"provides-namespace": true}}"#)
        #expect(catalogue.image("Pear")?.size.width == 6)
        #expect(catalogue.image("Dark/Pear")?.size.width == 5)
    }

    /// A catalogue comes before a file, and one that cannot be read counts as empty.
    @Test func filesComeAfterCatalogues() throws {
        let catalogue = try Catalogue()
        let file = catalogue.bundle.appending(path: "Plum.png")
        try Pictures.png(width: 8, height: 8).write(to: file)
        #expect(catalogue.image("Plum")?.size.width == 8)
        try catalogue.add("Plum", "no JSON", [:])
        #expect(catalogue.image("Plum")?.size.width == 8)
        try catalogue.write("Plum.imageset/Contents.json", #"{"images": [{"filename": "../x"}]}"#)
        #expect(catalogue.image("Plum")?.size.width == 8)
        try catalogue.add("Plum", #"{"images": [{"filename": "p.png"}]}"#, ["p.png": 9])
        #expect(catalogue.image("Plum")?.size.width == 9)
    }
}

/// A bundle with an asset catalogue in a folder of its own, which goes with this value.
private final class Catalogue {
    let bundle: URL

    init() throws {
        bundle = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).resources")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        try write("Contents.json", #"{"info": {"version": 1, "author": "xcode"}}"#)
    }

    deinit {
        // A folder that is left behind is in the way of nobody.
        try? FileManager.default.removeItem(at: bundle)
    }

    /// Adds an image set with pictures of these widths.
    func add(_ name: String, _ contents: String, _ widths: [String: Int]) throws {
        try write("\(name).imageset/Contents.json", contents)
        for (file, width) in widths {
            try write("\(name).imageset/\(file)", Pictures.png(width: width, height: 1))
        }
    }

    func write(_ path: String, _ text: String) throws {
        try write(path, Data(text.utf8))
    }

    private func write(_ path: String, _ data: Data) throws {
        let file = bundle.appending(path: "Assets.xcassets/\(path)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: file)
    }

    func image(_ name: String) -> UIImage? {
        Bundle(url: bundle).flatMap { UIImage(named: name, in: $0) }
    }
}
