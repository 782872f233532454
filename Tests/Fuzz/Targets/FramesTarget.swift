import ParleyCore

/// Bytes of a link that are cut into frames, wherever the reads end.
struct FramesTarget: FuzzTarget {
    var heapFactor: Int? { 4 }

    func run(_ bytes: [UInt8]) {
        let whole = Slice(bytes)
        let frames = Self.frames(of: [whole])
        // The first byte says where the reads end, without which nothing may change.
        let step = Int(bytes.first ?? 0) % 61 + 1
        let cuts = stride(from: 0, to: whole.count, by: step).map { start in
            whole[start..<min(start + step, whole.count)]
        }
        promise(Self.frames(of: cuts) == frames, "frames depend on the cuts of the reads")
    }

    /// The frames as they are written again.
    private static func frames(of reads: [Slice]) -> [UInt8] {
        var parser = FrameParser()
        var written: [UInt8] = []
        do throws(CodecError) {
            for read in reads {
                parser.append(read)
                while let raw = try parser.next(frameBytesMax: Limits.frameBytes) {
                    guard let frame = try Frame(decoding: raw) else { continue }
                    let start = written.count
                    frame.append(to: &written)
                    check(frame, Slice(written)[start..<written.count])
                }
            }
        } catch {
            return written
        }
        return written
    }

    /// A frame that was read, written and read again is the same.
    private static func check(_ frame: Frame, _ written: Slice) {
        let header = FrameHeader.count
        let raw = RawFrame(type: frame.type.rawValue, body: written[header..<written.count])
        promise((try? Frame(decoding: raw)) == frame, "a frame that is written is another one")
    }
}
