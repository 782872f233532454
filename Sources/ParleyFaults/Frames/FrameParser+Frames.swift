import ParleyCore

extension FrameParser {
    /// The frames that are whole once `bytes` has arrived, up to the first that no node accepts.
    mutating func frames(with bytes: Slice) -> [RawFrame] {
        append(bytes)
        var frames: [RawFrame] = []
        // The node closes the link when it refuses a frame.
        while let frame = try? next(frameBytesMax: Limits.frameBytes) { frames.append(frame) }
        return frames
    }
}
