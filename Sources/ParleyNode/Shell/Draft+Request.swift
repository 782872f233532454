package import Foundation
package import ParleyCore

extension Draft {
    /// The request to the machine to author this draft.
    ///
    /// - Throws: `badDraft` or `tooLarge` for a draft that no node accepts.
    package func authorRequest(
        _ request: RequestID,
        conversation: UInt32,
        guest: ParticipantID? = nil,
        sentAt: Date,
        wait: SendWait = .stored
    ) throws(NodeError) -> AuthorRequest {
        try check()
        var dots: [Dot]?
        if let named = replacing {
            let read = named.compactMap(\.dot)
            guard read.count == named.count else {
                throw .badDraft("a message ID to replace is malformed")
            }
            dots = read
        }
        var made = AuthorRequest(
            request: request,
            conversation: conversation,
            guest: guest,
            body: try content.body(session: session.core, sentAt: sentAt),
            isOwn: isOwn,
            next: next.map { ParticipantID(Bytes16($0)) },
            isTombstone: isEnd,
            picture: picture.map {
                InlinePicture(type: $0.type, bytes: Slice(Array($0.bytes)))
            },
            replacing: dots,
            following: following(wait)
        )
        made.parts = try (content.match?.sealing ?? []).map { (part) throws(NodeError) in
            try part.core()
        }
        return made
    }

    /// Whether the sender wants to know how many nodes have the message.
    package func following(_ wait: SendWait) -> AuthorRequest.Following {
        guard wait == .stored else { return .awaited }
        return tellsDelivery ? .shown : .no
    }

    private func check() throws(NodeError) {
        let characters = content.url?.count ?? 0
        guard characters <= Limits.urlCharacters else {
            throw .tooLarge(what: "the URL", size: characters, limit: Limits.urlCharacters)
        }
        guard content.url.map(GivenName.canBeSeen) ?? true else {
            throw .badDraft("the URL is empty; leave it out of a message without data of an app")
        }
        guard isEnd || picture != nil || content.saysSomething else {
            throw .badDraft(
                "the message is empty; give it a URL, a caption, a summary or a picture"
            )
        }
        guard let picture else { return }
        let limit = Limits.blobBytes - SealNonce.overhead
        guard picture.bytes.count <= limit else {
            throw .tooLarge(what: "the picture", size: picture.bytes.count, limit: limit)
        }
        guard !picture.bytes.isEmpty else { throw .badDraft("the picture is empty") }
        guard picture.type.utf8.count <= Limits.mediaTypeBytes, !picture.type.isEmpty else {
            throw .badDraft("the picture's media type is empty or too long")
        }
        guard content.layout != nil else {
            throw .badDraft("a picture belongs to a layout, and there is none")
        }
    }
}

extension MessageContent {
    /// Whether a person sees something of a message with this content, or its app gets data.
    fileprivate var saysSomething: Bool {
        let texts = [url, summaryText].compactMap(\.self) + (layout?.texts ?? [])
        return addition != nil || layout?.isLive == true
            || texts.contains(where: GivenName.canBeSeen)
    }
}
