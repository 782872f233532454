/// A queue of plaintext to seal, whose pieces may share memory with queues of other connections.
struct PlainQueue {
    private var pieces: [[UInt8]] = []
    /// The index of the first piece with bytes left, and of the first byte left in that piece.
    private var first = 0
    private var start = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Appends `bytes`, without a copy unless the bytes and the last piece are short.
    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        count += bytes.count
        if let last = pieces.last, last.count + bytes.count <= TLSStream.recordBytes {
            pieces[pieces.count - 1].append(contentsOf: bytes)
        } else {
            pieces.append(bytes)
        }
    }

    /// Removes the next bytes, at most `countMax`, and passes them to `body`.
    ///
    /// The bytes fill whole records, except at the end of the queue. If less than a record is left
    /// of a piece, the rest and the bytes after it are copied into `scratch`, which has the size of
    /// a record.
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
