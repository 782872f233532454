import Foundation
import ParleyCore
import ParleyTransport
import Synchronization

/// Strangers on a thread each that say hello, and then send records of a byte as fast as a node
/// reads them.
final class BusyStrangers: Sendable {
    private let isOver = Atomic(false)
    private let sent = Atomic(0)
    private let visits = Atomic(0)

    /// Strangers to the node on `port`, which come again when it has ended their connection.
    init(_ count: Int, toPort port: UInt16) {
        for _ in 0..<count {
            Thread.detachNewThread {
                // Whatever has ended a connection, the next one is tried.
                while !self.isOver.load(ordering: .relaxed) { try? self.visit(port) }
            }
        }
    }

    /// The records that all of them have sent.
    var records: Int { sent.load(ordering: .relaxed) }

    /// How often one of them has said hello.
    var greetings: Int { visits.load(ordering: .relaxed) }

    func stop() { isOver.store(true, ordering: .relaxed) }

    private func visit(_ port: UInt16) throws {
        let tls = try HandmadeTLS(RawPeer(port: port))
        guard tls.handshake() else { return }
        let hello = Hello(
            wireVersions: NodeConfiguration.spoken,
            software: "stranger",
            deviceName: "stranger",
            processNonce: 1
        )
        var bytes: [UInt8] = []
        Frame.hello(hello).append(to: &bytes)
        guard tls.send(bytes) else { return }
        visits.add(1, ordering: .relaxed)
        // Frames without a body, of a type that may be ignored.
        let frames = [UInt8](repeatElement([0, 0, 0, 250], count: 1_024).joined())
        while !isOver.load(ordering: .relaxed), tls.sendRecords(of: frames) {
            sent.add(frames.count, ordering: .relaxed)
        }
    }
}
