/// Messages of one signature, none of the same session as another.
struct AuthoredBatch {
    private(set) var drafts: [Draft] = []
    private var sessions: Set<SessionID> = []

    var isFull: Bool { drafts.count == 1 << Limits.proofDepth }

    /// Whether the request would replace a message that is not merged yet.
    func touches(_ request: AuthorRequest) -> Bool {
        sessions.contains(request.body.session)
    }

    mutating func add(_ draft: Draft) {
        drafts.append(draft)
        sessions.insert(draft.request.body.session)
    }
}

/// A message on its way to be signed.
struct Draft {
    let request: AuthorRequest
    let slot: Int
    let header: EnvelopeHeader
    let headerBytes: Slice
    var sealedBody: Slice
    let picture: AuthoredPicture
}

/// How the picture of a message travels.
enum AuthoredPicture {
    case none
    case inline(InlinePicture)
    /// Its reference, what it is, and its sealed bytes.
    case blob(BlobReference, Picture, Slice)

    var references: [BlobReference] {
        if case .blob(let reference, _, _) = self { [reference] } else { [] }
    }

    /// Makes the body's layout point to it.
    func place(in body: inout MessageBody) {
        switch self {
        case .none:
            return
        case .inline(let picture):
            body.inline = picture
            body.layout?.setImage(.inline)
        case .blob(_, let picture, _):
            body.blobTypes = [picture]
            body.layout?.setImage(.blob(0))
        }
    }
}

/// Why a message was not authored.
struct AuthorRefusal: Error {
    let answer: AuthorAnswer

    init(_ answer: AuthorAnswer) {
        self.answer = answer
    }
}

extension MessageLayout {
    mutating func setImage(_ image: ImageReference) {
        switch self {
        case .template(var layout):
            layout.image = image
            self = .template(layout)
        case .live(var alternate):
            alternate.image = image
            self = .live(alternate: alternate)
        }
    }

    /// The layout itself, or the alternate of a live one.
    package var template: TemplateLayout {
        switch self {
        case .template(let layout), .live(let layout): layout
        }
    }
}
