import ParleyCore
import ParleyLoop
import ParleyTransport

/// A connection on which a peer asks for a file, and then gets its bytes.
final class FileServing {
    let id: ConnectionID
    let device: DeviceID
    let exporter: Bytes32
    /// Closes a connection on which nothing happens.
    let timer: LoopTimer
    var request = FileOpening()
    /// The file, once the peer may have it.
    private(set) var file: (session: SessionID, reader: FileReader)?
    private(set) var size = 0
    /// The first byte that has not been asked of the disk.
    private var next = 0
    private var reads = 0
    private var chunks: [[UInt8]] = []
    private var isSending = false

    init(_ id: ConnectionID, to device: DeviceID, exporter: Bytes32, timer: LoopTimer) {
        self.id = id
        self.device = device
        self.exporter = exporter
        self.timer = timer
    }

    /// The peer may have the file.
    func begin(_ session: SessionID, _ reader: FileReader, size: Int, at offset: Int) {
        file = (session, reader)
        self.size = size
        next = offset
    }

    /// The next part to read; nil if enough is ahead of the network.
    func takeRead() -> (offset: Int, count: Int)? {
        guard next < size, reads + chunks.count < FileLimits.chunksAhead else { return nil }
        let part = (offset: next, count: min(FileLimits.chunkBytes, size - next))
        next += part.count
        reads += 1
        return part
    }

    /// A part was read, in the order of the calls of `takeRead`.
    func add(_ chunk: [UInt8]) {
        reads -= 1
        chunks.append(chunk)
    }

    /// The bytes to send now; nil while others are on their way, or if there are none.
    func takeChunk() -> [UInt8]? {
        guard !isSending, !chunks.isEmpty else { return nil }
        isSending = true
        return chunks.removeFirst()
    }

    /// The kernel has taken what was sent.
    func drained() { isSending = false }
}
