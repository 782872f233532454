/// Cuts the bytes of a link into frames.
///
/// A frame that arrives in one read is a slice of the read. Other frames are copied once into a
/// buffer, which grows with the bytes that arrived, never with the declared length. After an error
/// no further byte can be trusted, and the link has to end.
package struct FrameParser: Sendable {
    /// Slices with unparsed bytes; in the first slice, those from `offset` on.
    private var arrived: [Slice] = []
    /// The index in `arrived` of the first slice with bytes left.
    private var first = 0
    private var offset = 0
    /// The beginning of a frame whose end has not arrived, or empty.
    private var partial: [UInt8] = []
    /// The batch frame whose envelopes are being returned.
    private var batch: BatchFrame?

    package init() {}

    /// The number of bytes that have arrived and were not returned in a frame.
    package var bufferedBytes: Int {
        arrived[first...].reduce(partial.count - offset) { $0 + $1.count }
    }

    /// Adds bytes from the link; the caller then calls `next` until the result is nil.
    package mutating func append(_ bytes: Slice) {
        guard !bytes.isEmpty else { return }
        arrived.append(bytes)
    }

    /// The next whole frame, or nil until more bytes arrive.
    ///
    /// `frameBytesMax` is the longest body that the peer may send at this moment. A batch frame is
    /// returned as the `envelope` frames that it replaces.
    ///
    /// - Throws: `.tooLong` as soon as the header of a longer frame is there; the error of a batch
    ///   frame.
    package mutating func next(frameBytesMax: Int) throws(CodecError) -> RawFrame? {
        while let frame = try nextWhole(frameBytesMax: frameBytesMax) {
            guard frame.type == BatchFrame.type else { return frame }
            putBack(try BatchFrame(decoding: frame.body))
        }
        return nil
    }

    /// Takes the rest of a batch frame, whose envelopes are returned next.
    mutating func putBack(_ rest: BatchFrame) { batch = rest }

    /// The next whole frame, a batch frame as it is unless it was put back.
    package mutating func nextWhole(frameBytesMax: Int) throws(CodecError) -> RawFrame? {
        if let envelope = try batch?.next() { return envelope }
        batch = nil
        while first < arrived.count {
            let slice = arrived[first]
            let frame =
                partial.isEmpty
                ? try frame(wholeIn: slice, frameBytesMax: frameBytesMax)
                : try frame(completedBy: slice, frameBytesMax: frameBytesMax)
            if offset == slice.count { dropFirst() }
            if let frame { return frame }
        }
        return nil
    }

    /// The frame at `offset` if it ends in `slice`; otherwise its beginning moves to `partial`.
    private mutating func frame(
        wholeIn slice: Slice,
        frameBytesMax: Int
    ) throws(CodecError) -> RawFrame? {
        let left = slice.count - offset
        if left >= FrameHeader.count {
            let header = FrameHeader(reading: slice, at: offset)
            guard header.length <= frameBytesMax else { throw .tooLong }
            let start = offset + FrameHeader.count
            if header.length <= slice.count - start {
                offset = start + header.length
                return RawFrame(type: header.type, body: slice[start..<offset])
            }
        }
        slice[offset..<slice.count].append(to: &partial)
        offset = slice.count
        return nil
    }

    /// The frame that begins in `partial`, if it ends in `slice`; otherwise `slice` is used up.
    private mutating func frame(
        completedBy slice: Slice,
        frameBytesMax: Int
    ) throws(CodecError) -> RawFrame? {
        if partial.count < FrameHeader.count {
            take(FrameHeader.count - partial.count, from: slice)
            guard partial.count == FrameHeader.count else { return nil }
        }
        let header = FrameHeader(word: partialWord)
        guard header.length <= frameBytesMax else { throw .tooLong }
        let total = FrameHeader.count + header.length
        take(total - partial.count, from: slice, capacityMax: total)
        guard partial.count == total else { return nil }
        let whole = Slice(partial)
        partial = []
        return RawFrame(type: header.type, body: whole[FrameHeader.count..<total])
    }

    /// Moves up to `count` bytes from `slice` to `partial`.
    private mutating func take(_ count: Int, from slice: Slice, capacityMax: Int = 0) {
        let taken = min(count, slice.count - offset)
        let needed = partial.count + taken
        if partial.capacity < needed {
            partial.reserveCapacity(max(needed, min(2 * needed, capacityMax)))
        }
        slice[offset..<offset + taken].append(to: &partial)
        offset += taken
    }

    /// The first four bytes of `partial`: the header of its frame.
    private var partialWord: UInt32 {
        partial[..<FrameHeader.count].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private mutating func dropFirst() {
        offset = 0
        first += 1
        if first == arrived.count {
            arrived.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= 64, first * 2 > arrived.count {
            arrived.removeFirst(first)
            first = 0
        }
    }
}
