extension Goodbye: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        reason = GoodbyeReason(rawValue: try reader.unsigned()) ?? .other
        try reader.require(2, in: &map)
        text = try reader.text(lengthMax: Limits.goodbyeBytes)
        try reader.closeMap(&map)
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(reason.rawValue)
        writer.key(2, in: &map)
        writer.text(text)
        writer.closeMap(map)
    }
}

extension Credit: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        envelopeBytes = try reader.unsigned()
        try reader.require(3, in: &map)
        blobBytes = try reader.unsigned()
        try reader.require(5, in: &map)
        names = try reader.unsigned()
        try reader.closeMap(&map)
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(envelopeBytes)
        writer.key(3, in: &map)
        writer.unsigned(blobBytes)
        writer.key(5, in: &map)
        writer.unsigned(names)
        writer.closeMap(map)
    }
}
