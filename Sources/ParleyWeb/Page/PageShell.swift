import Foundation
import NIOCore
import ParleyNode

/// The HTML that loads the page's script.
///
/// A browser requests the HTML without the proof of a page, so it has nothing of conversations.
struct PageShell: Sendable {
    let node: Node

    func html() async throws -> ByteBuffer {
        guard let shell = PageAsset.all["shell.html"] else { return ByteBuffer() }
        let parts = try await [
            "version": HTMLText.escaped(PageAsset.version),
            "title": HTMLText.escaped(node.status().name),
        ]
        var text = String(buffer: shell.bytes)
        // One pass: inserted texts are not searched for further marks.
        for (index, piece) in text.split(separator: "<!--parley:", omittingEmptySubsequences: false)
            .enumerated()
        {
            guard index > 0 else {
                text = String(piece)
                continue
            }
            guard let end = piece.firstRange(of: "-->") else { continue }
            text += (parts[String(piece[..<end.lowerBound])] ?? "") + piece[end.upperBound...]
        }
        return ByteBuffer(string: text)
    }
}
