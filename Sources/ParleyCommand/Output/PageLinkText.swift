import Foundation
package import ParleyAPI
import ParleyWeb

/// A link to the page of a node, as a terminal shows it.
package struct PageLinkText: Sendable {
    private let link: String

    package init(_ link: String) {
        self.link = link
    }

    /// The lines that a node prints when it is ready; `command` prints another link.
    package func announcement(command: String) -> [String] {
        [
            "Open its page in a browser\(isOfThisMachine ? " on this machine" : ""):",
            "  \(link)",
            "The link works once, within an hour. For another one: \(command)",
            "Ctrl-C stops the node.",
        ]
    }

    /// The QR code of the link, or a line that says why there is none.
    ///
    /// - Throws: a `Problem` if the link is too long for a QR code.
    package func codeLines() throws(Problem) -> [String] {
        guard isOfThisMachine else { return try QRText.lines(link) }
        return [
            "No QR code: the link leads to this machine only, so a phone cannot open it.",
            "A page for other devices is served with --web lan, without encryption.",
            "For phones of other people: parley guests CONVERSATION.",
        ]
    }

    /// Whether only browsers of this machine can open the link.
    private var isOfThisMachine: Bool {
        guard let url = URL(string: link), let host = url.host(), let port = url.port else {
            return false
        }
        return PageAddress(host: host, port: port).isLoopback
    }
}
