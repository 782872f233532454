extension MessageLayout: CBORMap {
    /// The kinds of layout by their numbers, the values of key 1.
    fileprivate enum Kind: UInt64, CBORItem {
        case template = 0
        case live = 1
    }

    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        switch try map.field(1, { $0.kind }) {
        case .template: self = .template(try TemplateLayout(fields: &map, of: { $0.shown }))
        case .live: self = .live(alternate: try map.field(3) { $0.shown })
        }
    }

    private var kind: Kind {
        switch self {
        case .template: .template
        case .live: .live
        }
    }

    /// The template that the layout is, or that it has as its alternate.
    var shown: TemplateLayout {
        switch self {
        case .template(let template), .live(let template): template
        }
    }
}

// A template alone, as the alternate of a live layout.
extension TemplateLayout: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        let kind = try map.field(1) { _ in MessageLayout.Kind.template }
        try map.check(kind == .template, else: .outOfRange)
        try self.init(fields: &map, of: { $0 })
    }

    /// Codes the fields that follow the kind.
    fileprivate init<Coder: MapCoder>(
        fields map: inout Coder,
        of template: (Coder.Body) -> Self
    ) throws(Coder.Failure) {
        let most = Limits.captionBytes
        caption = try map.optionalText(2, lengthMax: most) { template($0).caption }
        subcaption = try map.optionalText(4, lengthMax: most) { template($0).subcaption }
        trailingCaption = try map.optionalText(6, lengthMax: most) { template($0).trailingCaption }
        trailingSubcaption = try map.optionalText(8, lengthMax: most) {
            template($0).trailingSubcaption
        }
        imageTitle = try map.optionalText(10, lengthMax: most) { template($0).imageTitle }
        imageSubtitle = try map.optionalText(12, lengthMax: most) { template($0).imageSubtitle }
        image = try map.optional(14) { template($0).image }
    }
}

extension ImageReference: CBORItem {
    /// The number that stands for the picture in the body, instead of an index.
    private static let inlineNumber: Int64 = -1

    init(from reader: inout CBORReader) throws(CodecError) {
        let number = try reader.signed()
        switch number {
        case Self.inlineNumber: self = .inline
        case 0..<Int64(Limits.blobsPerEnvelope): self = .blob(Int(number))
        default: throw .outOfRange
        }
    }

    func write(to writer: inout CBORWriter) {
        switch self {
        case .inline: writer.signed(Self.inlineNumber)
        case .blob(let index): writer.signed(Int64(index))
        }
    }
}
