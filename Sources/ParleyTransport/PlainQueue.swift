/// A queue of plaintext that waits to be sealed; its pieces share memory with the queues of other
/// connections that send the same bytes.
struct PlainQueue {
    private var pieces: [[UInt8]] = []
    /// The index of the first piece with bytes left, and of the first such byte in it.
    private var first = 0
    private var start = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Appends `bytes`; copies them only if both they and the last piece are short.
    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        count += bytes.count
        if let last = pieces.last, last.count + bytes.count <= TLSStream.recordBytes {
            pieces[pieces.count - 1].append(contentsOf: bytes)
        } else {
            pieces.append(bytes)
        }
    }

    /// Calls `body` with the next bytes, at most `countMax`, and drops them.
    ///
    /// Except at the end of the queue, the bytes fill whole records. The rest of a piece is copied
    /// into `scratch`, which has the size of a record, together with the bytes that follow it.
    mutating func take(
        _ countMax: Int,
        gatheringIn scratch: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Int {
        guard !isEmpty else { return 0 }
        var taken = min(pieces[first].count - start, countMax)
        if first + 1 < pieces.count {
            taken -= taken % TLSStream.recordBytes
            guard taken > 0 else { return gather(in: scratch, body) }
        }
        pieces[first].withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[start..<start + taken]))
        }
        drop(taken)
        return taken
    }

    private mutating func gather(
        in scratch: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Int {
        var gathered = 0
        while gathered < scratch.count, !isEmpty {
            let taken = min(pieces[first].count - start, scratch.count - gathered)
            pieces[first].withUnsafeBytes { bytes in
                let part = UnsafeRawBufferPointer(rebasing: bytes[start..<start + taken])
                UnsafeMutableRawBufferPointer(rebasing: scratch[gathered...])
                    .copyMemory(from: part)
            }
            gathered += taken
            drop(taken)
        }
        body(UnsafeRawBufferPointer(rebasing: scratch[..<gathered]))
        return gathered
    }

    /// Drops bytes of the first piece.
    private mutating func drop(_ taken: Int) {
        count -= taken
        start += taken
        guard start == pieces[first].count else { return }
        pieces[first] = []
        first += 1
        start = 0
        guard first == pieces.count || first >= 64 else { return }
        // An idle connection keeps no buffer.
        pieces = first == pieces.count ? [] : Array(pieces[first...])
        first = 0
    }
}
