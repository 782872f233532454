/// The envelopes that peers announced and this node lacks.
///
/// These methods are inlined, as the compiler may copy a conversation of a table to call one that
/// only reads it.
extension Conversation {
    /// The peer of a link announced an envelope that this node lacks.
    ///
    /// `author` is the link on which its author pushes or announces it unasked, if there is one
    /// besides that of the peer.
    ///
    /// - Returns: whether to ask the peer for it at once.
    @inline(__always)
    package mutating func announced(
        _ entry: HaveEntry,
        by peer: LinkID,
        author: LinkID?,
        at now: Moment
    ) -> Bool {
        guard let author else { return wants.announced(entry, by: peer, at: now) }
        wants.expected(entry, from: author, announcedBy: peer, at: now)
        return false
    }

    /// Whether the peer of a link may announce envelopes; at most 128 peers may at a time.
    @inline(__always)
    package mutating func mayAnnounce(_ link: LinkID) -> Bool { wants.mayAnnounce(link) }

    /// The peer of a link does not have an envelope any more that it announced.
    @inline(__always)
    package mutating func notFound(_ name: EnvelopeName, from link: LinkID, at now: Moment) {
        wants.notFound(name, from: link, at: now)
    }

    /// A link closed: the envelopes that it was to bring are wanted from others.
    ///
    /// `other` is another link to its device, if there is one that answers.
    @inline(__always)
    package mutating func linkClosed(_ link: LinkID, other: LinkID?, at now: Moment) {
        wants.linkClosed(link, other: other, at: now)
    }

    /// Whether a wanted envelope may be overdue.
    @inline(__always)
    package func mayBeOverdue(at now: Moment) -> Bool { wants.isDue(at: now) }

    /// The wanted envelopes that did not arrive in time, each with the link to ask now, in order of
    /// their names.
    ///
    /// `news` says when each link last brought a new envelope.
    @inline(__always)
    package mutating func overdue(
        news: [LinkID: Moment],
        at now: Moment
    ) -> [(entry: HaveEntry, holder: LinkID)] {
        wants.overdue(at: now, news: news)
    }
}
