import Foundation
import Messages

/// A word, the letters that were tried, and who set it.
class Round: NSObject {
    var word: String
    var tried: [Character]
    var setter: String?
    static let livesAtStart = 6

    init(word: String, tried: [Character] = [], setter: String? = nil) {
        self.word = word.lowercased()
        self.tried = tried
        self.setter = setter
        super.init()
    }

    convenience init?(url: URL) {
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
            return nil
        }
        guard let word = components.queryItems?.filter({ $0.name == "word" }).first?.value else {
            return nil
        }
        let tried = components.queryItems?.first(where: { $0.name == "tried" })?.value ?? ""
        let setter = components.queryItems?.first(where: { $0.name == "setter" })?.value
        self.init(word: word, tried: Array(tried), setter: setter)
    }

    var url: URL {
        guard let components = NSURLComponents(string: "data:,") else { preconditionFailure() }
        let word = NSURLQueryItem(name: "word", value: self.word)
        components.queryItems = [
            word as URLQueryItem,
            URLQueryItem(name: "tried", value: String(tried)),
            URLQueryItem(name: "setter", value: setter),
        ]
        guard let url = components.url else { preconditionFailure() }
        return url
    }

    var lives: Int { Round.livesAtStart - tried.filter { !word.contains($0) }.count }

    var shown: String {
        String(word.map { tried.contains($0) ? $0 : "_" })
    }
}
