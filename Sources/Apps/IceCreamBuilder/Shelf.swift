import Foundation
import Messages

/// The finished sundaes that this machine has seen, the latest first.
///
/// They are kept in the app's own folder, each with its sticker.
struct Shelf {
    /// The most sundaes that are kept.
    static let countMax = 24

    private(set) var sundaes: [Sundae] = []
    private let folder: URL?

    /// Reads the shelf of a folder; without a folder the shelf is lost with the app.
    init(folder: URL?) {
        self.folder = folder
        guard let file, let data = try? Data(contentsOf: file) else { return }
        let lines = (try? JSONDecoder().decode([String].self, from: data)) ?? []
        sundaes = lines.prefix(Self.countMax).compactMap { line in
            Sundae(queryItems: URLComponents(string: line)?.queryItems ?? [])
        }.filter(\.isFinished)
    }

    private var file: URL? { folder?.appending(path: "sundaes.json") }

    /// Puts a sundae in front if it is finished.
    mutating func put(_ sundae: Sundae) {
        guard sundae.isFinished, sundaes.first != sundae else { return }
        sundaes.removeAll { $0 == sundae }
        sundaes.insert(sundae, at: 0)
        sundaes = Array(sundaes.prefix(Self.countMax))
        guard let file else { return }
        let lines = sundaes.map(Self.line)
        // If this fails, the shelf is shorter after a restart.
        try? JSONEncoder().encode(lines).write(to: file, options: .atomic)
    }

    private static func line(_ sundae: Sundae) -> String {
        var components = URLComponents()
        components.queryItems = sundae.queryItems
        return components.string ?? ""
    }

    /// The sundae as a picture file, which is made when it is first needed.
    func sticker(_ sundae: Sundae) -> MSSticker? {
        guard let folder, sundae.isFinished else { return nil }
        let name = sundae.queryItems.compactMap(\.value).joined(separator: "-")
        let picture = folder.appending(path: "\(name).png")
        if !FileManager.default.fileExists(atPath: picture.path) {
            guard (try? sundae.drawing.png.write(to: picture, options: .atomic)) != nil else {
                return nil
            }
        }
        return try? MSSticker(
            contentsOfFileURL: picture,
            localizedDescription: "A sundae: \(sundae.spoken)"
        )
    }
}
