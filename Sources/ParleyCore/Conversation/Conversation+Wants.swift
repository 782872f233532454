/// The announced envelopes that this node lacks.
///
/// The methods are inlined: otherwise the compiler may copy a conversation of a table to call a
/// method that only reads.
extension Conversation {
    /// The peer of a link announced an envelope that this node lacks.
    ///
    /// `author` is the link on which the author of the envelope sends or announces it unasked,
    /// unless the author is the peer.
    ///
    /// - Returns: whether to ask the peer at once.
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

    /// Whether the peer of a link may announce envelopes; at most 128 peers at a time may.
    @inline(__always)
    package mutating func mayAnnounce(_ link: LinkID) -> Bool { wants.mayAnnounce(link) }

    /// The peer of a link no longer has an announced envelope.
    @inline(__always)
    package mutating func notFound(_ name: EnvelopeName, from link: LinkID, at now: Moment) {
        wants.notFound(name, from: link, at: now)
    }

    /// A link closed: the envelopes due on it are wanted from others.
    ///
    /// `other` is another link to the same device that answers, if any.
    @inline(__always)
    package mutating func linkClosed(_ link: LinkID, other: LinkID?, at now: Moment) {
        wants.linkClosed(link, other: other, at: now)
    }

    /// Whether a wanted envelope may be overdue.
    @inline(__always)
    package func mayBeOverdue(at now: Moment) -> Bool { wants.isDue(at: now) }

    /// The overdue wants, each with the link to ask now, in order of the names.
    ///
    /// `news` gives the moment at which each link last brought a new envelope.
    @inline(__always)
    package mutating func overdue(
        news: [LinkID: Moment],
        at now: Moment
    ) -> [(entry: HaveEntry, holder: LinkID)] {
        wants.overdue(at: now, news: news)
    }
}
