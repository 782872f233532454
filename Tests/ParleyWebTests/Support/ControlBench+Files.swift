import Foundation
import ParleyNode
import TestSupport

extension ControlBench {
    /// Has the node offer a file of 20,000 bytes; returns the session.
    func offered(named name: String = "film.mkv") async throws -> SessionID {
        let upload = try await node.upload(of: 20_000, named: name, to: "games")
        try await upload.write(Data(repeating: 7, count: 20_000))
        return try await node.offer(upload).session
    }

    /// A file of 20,000 bytes that another node offers, whose message is here.
    func offerOfAnother() async throws -> SessionID {
        let other = try await startGuest().node
        _ = try await other.join(try await node.invite(to: "games").link)
        let upload = try await other.upload(of: 20_000, named: "song", to: "games")
        try await upload.write(Data(repeating: 7, count: 20_000))
        let session = try await other.offer(upload).session
        try await eventually("the offer") {
            (try? await node.fileTransfer(of: session, in: "games")) != nil
        }
        return session
    }
}
