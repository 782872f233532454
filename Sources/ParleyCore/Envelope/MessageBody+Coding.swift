extension MessageBody: CBORMap {
    /// Reads the opened bytes of a body.
    ///
    /// - Throws: the first fault in the bytes; `.outOfRange` also for a layout whose picture is not
    ///   in the body.
    package init(decoding bytes: Slice) throws(CodecError) { try self.init(item: bytes) }

    /// The body in the form that is sealed.
    ///
    /// Limits are not checked here; `problem` names an exceeded limit.
    package func encoded() -> [UInt8] { itemBytes }

    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        session = try map.field(1) { $0.session }
        summaryText = try map.optionalText(2, lengthMax: Limits.summaryBytes) { $0.summaryText }
        place = try map.field(3, in: 1...Limits.sequenceEnd - 1) { $0.place }
        let labelBytes = Limits.accessibilityLabelBytes
        accessibilityLabel = try map.optionalText(4, lengthMax: labelBytes) {
            $0.accessibilityLabel
        }
        sentAt = try map.field(5) { $0.sentAt }
        blobTypes = try map.listUnlessEmpty(6, countMax: Limits.blobsPerEnvelope) { $0.blobTypes }
        app = try map.text(7, lengthMax: Limits.appBytes) { $0.app }
        inline = try map.optional(8) { $0.inline }
        url = try map.optionalText(9, lengthMax: Limits.urlBytes) { $0.url }
        deviceName = try map.optionalText(10, lengthMax: Limits.deviceNameBytes) { $0.deviceName }
        layout = try map.optional(11) { $0.layout }
        placement = try map.optional(12) { $0.placement }
        shouldExpire = try map.flag(13) { $0.shouldExpire }
        role = try MessageRole(fields: &map)
        text = try map.optionalText(18, lengthMax: Limits.textBytes) { $0.text }
        reply = try map.optional(20) { $0.reply }
        file = try map.optional(22) { $0.file }
        try map.check(isImageHere, else: .outOfRange)
        // An empty name names nobody: the key is left out instead.
        try map.check(deviceName?.isEmpty != true, else: .wrongLength)
    }

    private var isImageHere: Bool {
        switch layout?.shown.image {
        case .blob(let index): blobTypes.indices.contains(index)
        case .inline: inline != nil
        case nil: true
        }
    }
}

extension MessageRole {
    /// The role of a body, if it has one: a move is no addition to another session.
    fileprivate init?<Coder: MapCoder<MessageBody>>(fields map: inout Coder) throws(Coder.Failure) {
        let state = try map.optional(14) { $0.role?.matchState }
        let side = try map.optional(16) { $0.role?.sideMessage }
        try map.check(state == nil || side == nil, else: .outOfRange)
        if let state {
            self = .match(state)
        } else if let side {
            self = .side(side)
        } else {
            return nil
        }
    }

    private var matchState: MatchState? {
        if case .match(let state) = self { state } else { nil }
    }

    private var sideMessage: SideMessage? {
        if case .side(let side) = self { side } else { nil }
    }
}

extension PictureDescription: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 3)
        type = try reader.text(lengthMax: Limits.mediaTypeBytes)
        hash = try reader.fixed()
        size = try reader.unsigned(in: 0...UInt64(Limits.blobBytes))
        reader.closeArray()
    }

    func write(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.text(type)
        writer.fixed(hash)
        writer.unsigned(size)
    }
}

extension InlinePicture: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 2)
        type = try reader.text(lengthMax: Limits.mediaTypeBytes)
        bytes = try reader.byteString(lengthMax: Limits.inlineBytes)
        reader.closeArray()
    }

    func write(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.text(type)
        writer.byteString(bytes)
    }
}
