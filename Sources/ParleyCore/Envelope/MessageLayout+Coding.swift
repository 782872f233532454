extension MessageLayout {
    /// The kinds of layout by their numbers, the values of key 1.
    private enum Kind: UInt64 {
        case template = 0
        case live = 1
    }

    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        switch try Self.readKind(from: &reader, in: &map) {
        case .template:
            self = .template(try TemplateLayout(from: &reader, in: &map))
        case .live:
            try reader.require(3, in: &map)
            var inner = try reader.openMap()
            guard try Self.readKind(from: &reader, in: &inner) == .template else {
                throw .outOfRange
            }
            self = .live(alternate: try TemplateLayout(from: &reader, in: &inner))
            try reader.closeMap(&inner)
        }
        try reader.closeMap(&map)
    }

    func write(to writer: inout CBORWriter) {
        switch self {
        case .template(let template):
            Self.write(template, to: &writer)
        case .live(let alternate):
            var map = writer.openMap()
            writer.key(1, in: &map)
            writer.unsigned(Kind.live.rawValue)
            writer.key(3, in: &map)
            Self.write(alternate, to: &writer)
            writer.closeMap(map)
        }
    }

    private static func readKind(
        from reader: inout CBORReader,
        in map: inout CBORReader.Map
    ) throws(CodecError) -> Kind {
        try reader.require(1, in: &map)
        guard let kind = Kind(rawValue: try reader.unsigned()) else { throw .outOfRange }
        return kind
    }

    private static func write(_ template: TemplateLayout, to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(Kind.template.rawValue)
        template.write(to: &writer, in: &map)
        writer.closeMap(map)
    }
}

extension TemplateLayout {
    /// Reads the keys that follow the kind.
    fileprivate init(
        from reader: inout CBORReader,
        in map: inout CBORReader.Map
    ) throws(CodecError) {
        caption = try reader.caption(2, in: &map)
        subcaption = try reader.caption(4, in: &map)
        trailingCaption = try reader.caption(6, in: &map)
        trailingSubcaption = try reader.caption(8, in: &map)
        imageTitle = try reader.caption(10, in: &map)
        imageSubtitle = try reader.caption(12, in: &map)
        image = try reader.seek(14, in: &map) ? ImageReference(from: &reader) : nil
    }

    fileprivate func write(to writer: inout CBORWriter, in map: inout CBORWriter.Map) {
        writer.text(caption, key: 2, in: &map)
        writer.text(subcaption, key: 4, in: &map)
        writer.text(trailingCaption, key: 6, in: &map)
        writer.text(trailingSubcaption, key: 8, in: &map)
        writer.text(imageTitle, key: 10, in: &map)
        writer.text(imageSubtitle, key: 12, in: &map)
        if let image {
            writer.key(14, in: &map)
            image.write(to: &writer)
        }
    }
}

extension ImageReference {
    /// The number that stands for the picture in the body, instead of an index.
    private static let inlineNumber: Int64 = -1

    fileprivate init(from reader: inout CBORReader) throws(CodecError) {
        let number = try reader.signed()
        switch number {
        case Self.inlineNumber: self = .inline
        case 0..<Int64(Limits.blobsPerEnvelope): self = .blob(Int(number))
        default: throw .outOfRange
        }
    }

    fileprivate func write(to writer: inout CBORWriter) {
        switch self {
        case .inline: writer.signed(Self.inlineNumber)
        case .blob(let index): writer.signed(Int64(index))
        }
    }
}

extension CBORReader {
    fileprivate mutating func caption(
        _ key: UInt64,
        in map: inout Map
    ) throws(CodecError) -> String? {
        try seek(key, in: &map) ? text(lengthMax: Limits.captionBytes) : nil
    }
}

extension CBORWriter {
    /// Writes a key with its text, if there is one.
    mutating func text(_ text: String?, key: UInt64, in map: inout Map) {
        guard let text else { return }
        self.key(key, in: &map)
        self.text(text)
    }
}
