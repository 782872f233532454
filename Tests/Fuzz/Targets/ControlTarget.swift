import Foundation
import NIOCore
import ParleyAPI

/// Bodies of requests to the control API; the first byte chooses the document.
struct ControlTarget: FuzzTarget {
    private static let readers: [@Sendable (Data) -> Void] = [
        reader(SendDocument.self), reader(AppRequest.self), reader(CreateDocument.self),
        reader(FieldRequest.self), reader(GuestsRequest.self), reader(InviteRequest.self),
        reader(JoinDocument.self), reader(ListRequest.self), reader(PairRequest.self),
        reader(ReactionDocument.self), reader(EditDocument.self), reader(GuestNameDocument.self),
        reader(GuestPlaceDocument.self), reader(StrokeDocument.self), reader(PlaceDocument.self),
        reader(SpaceRequest.self), reader(RepairRequest.self), reader(CodeRequest.self),
        reader(PageLinkDocument.self),
    ]

    func run(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        Self.readers[Int(first) % Self.readers.count](Data(bytes.dropFirst()))
        checkLines(bytes)
    }

    private static func reader<Document: Codable & Equatable & SendableMetatype>(
        _ type: Document.Type
    ) -> @Sendable (Data) -> Void {
        { data in
            guard let document = try? JSON.decode(Document.self, from: data) else { return }
            let again = try? JSON.decode(Document.self, from: JSON.encode(document))
            promise(again == document, "a document that is written is another one")
            if let send = document as? SendDocument { _ = try? send.values() }
        }
    }

    /// The lines of a batch are the same wherever its parts end.
    private func checkLines(_ bytes: [UInt8]) {
        let step = Int(bytes[0]) % 31 + 1
        let parts = stride(from: 0, to: bytes.count, by: step).map { start in
            bytes[start..<min(start + step, bytes.count)]
        }
        promise(lines(parts) == lines([bytes[...]]), "lines depend on the parts of a body")
    }

    private func lines(_ parts: [ArraySlice<UInt8>]) -> [[UInt8]] {
        var reader = BatchLines()
        var lines: [BatchLine] = []
        for part in parts {
            reader.append(ByteBuffer(bytes: part))
            while let more = reader.take(atMost: 3) { lines += more }
        }
        lines += reader.takeLast()
        return lines.map { [UInt8(truncatingIfNeeded: $0.number)] + $0.bytes.readableBytesView }
    }
}
