extension MessageBody {
    /// Reads the opened bytes of a body.
    ///
    /// - Throws: the first fault in the bytes; `.outOfRange` also for a layout whose picture is not
    ///   in the body.
    package init(decoding bytes: Slice) throws(CodecError) {
        var reader = CBORReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }

    /// The body in the form that is sealed.
    ///
    /// Limits are not checked here; `problem` names an exceeded limit.
    package func encoded() -> [UInt8] {
        var writer = CBORWriter()
        write(to: &writer)
        return writer.finish()
    }

    private init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        session = try reader.fixed()
        summaryText =
            try reader.seek(2, in: &map) ? reader.text(lengthMax: Limits.summaryBytes) : nil
        try reader.require(3, in: &map)
        place = try reader.unsigned(in: 1...Limits.sequenceEnd - 1)
        accessibilityLabel =
            try reader.seek(4, in: &map)
            ? reader.text(lengthMax: Limits.accessibilityLabelBytes) : nil
        try reader.require(5, in: &map)
        sentAt = try reader.signed()
        blobTypes = try reader.seek(6, in: &map) ? Self.readBlobTypes(from: &reader) : []
        try reader.require(7, in: &map)
        app = try reader.text(lengthMax: Limits.appBytes)
        inline = try reader.seek(8, in: &map) ? InlinePicture(from: &reader) : nil
        url = try reader.seek(9, in: &map) ? reader.text(lengthMax: Limits.urlBytes) : nil
        deviceName =
            try reader.seek(10, in: &map)
            ? reader.text(lengthMax: Limits.deviceNameBytes) : nil
        layout = try reader.seek(11, in: &map) ? MessageLayout(from: &reader) : nil
        placement = try reader.seek(12, in: &map) ? StickerPlacement(from: &reader) : nil
        shouldExpire = try reader.seek(13, in: &map) ? reader.flag() : false
        role = try Self.readRole(from: &reader, in: &map)
        text = try reader.seek(18, in: &map) ? reader.text(lengthMax: Limits.textBytes) : nil
        reply = try reader.seek(20, in: &map) ? reader.fixed() : nil
        file = try reader.seek(22, in: &map) ? FileDescription(from: &reader) : nil
        try reader.closeMap(&map)
        guard isImageHere else { throw .outOfRange }
        // An empty name names nobody: the key is left out instead.
        guard deviceName?.isEmpty != true else { throw .wrongLength }
    }

    private func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.fixed(session)
        writer.text(summaryText, key: 2, in: &map)
        writer.key(3, in: &map)
        writer.unsigned(place)
        writer.text(accessibilityLabel, key: 4, in: &map)
        writer.key(5, in: &map)
        writer.signed(sentAt)
        if !blobTypes.isEmpty {
            writer.key(6, in: &map)
            writer.array(count: blobTypes.count)
            for picture in blobTypes { picture.write(to: &writer) }
        }
        writer.key(7, in: &map)
        writer.text(app)
        if let inline {
            writer.key(8, in: &map)
            inline.write(to: &writer)
        }
        writer.text(url, key: 9, in: &map)
        writer.text(deviceName, key: 10, in: &map)
        if let layout {
            writer.key(11, in: &map)
            layout.write(to: &writer)
        }
        if let placement {
            writer.key(12, in: &map)
            placement.write(to: &writer)
        }
        if shouldExpire {
            writer.key(13, in: &map)
            writer.bool(true)
        }
        switch role {
        case .match(let state):
            writer.key(14, in: &map)
            state.write(to: &writer)
        case .side(let side):
            writer.key(16, in: &map)
            side.write(to: &writer)
        case nil: break
        }
        writer.text(text, key: 18, in: &map)
        if let reply {
            writer.key(20, in: &map)
            writer.fixed(reply)
        }
        if let file {
            writer.key(22, in: &map)
            file.write(to: &writer)
        }
        writer.closeMap(map)
    }

    /// Reads at most one role: a move is no addition to another session.
    private static func readRole(
        from reader: inout CBORReader,
        in map: inout CBORReader.Map
    ) throws(CodecError) -> MessageRole? {
        var role: MessageRole?
        if try reader.seek(14, in: &map) { role = .match(try MatchState(from: &reader)) }
        guard try reader.seek(16, in: &map) else { return role }
        guard role == nil else { throw .outOfRange }
        return .side(try SideMessage(from: &reader))
    }

    /// Reads at least one picture: without pictures, the key is left out.
    private static func readBlobTypes(
        from reader: inout CBORReader
    ) throws(CodecError) -> [PictureDescription] {
        var pictures: [PictureDescription] = []
        for _ in 0..<(try reader.openList(countMax: Limits.blobsPerEnvelope)) {
            pictures.append(try PictureDescription(from: &reader))
        }
        reader.closeArray()
        return pictures
    }

    private var isImageHere: Bool {
        let template: TemplateLayout? =
            switch layout {
            case .template(let template), .live(let template): template
            case nil: nil
            }
        return switch template?.image {
        case .blob(let index): blobTypes.indices.contains(index)
        case .inline: inline != nil
        case nil: true
        }
    }
}

extension PictureDescription {
    fileprivate init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 3)
        type = try reader.text(lengthMax: Limits.mediaTypeBytes)
        hash = try reader.fixed()
        size = try reader.unsigned(in: 0...UInt64(Limits.blobBytes))
        reader.closeArray()
    }

    fileprivate func write(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.text(type)
        writer.fixed(hash)
        writer.unsigned(size)
    }
}

extension InlinePicture {
    fileprivate init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 2)
        type = try reader.text(lengthMax: Limits.mediaTypeBytes)
        bytes = try reader.byteString(lengthMax: Limits.inlineBytes)
        reader.closeArray()
    }

    fileprivate func write(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.text(type)
        writer.byteString(bytes)
    }
}
