/// How the memory for announced envelopes is divided among the links.
///
/// A link takes as much as it needs while there is memory left. When there is none, the link that
/// takes the most gives way first (*longest queue drop*, as switches do with a shared buffer), and
/// links on which no new envelope ever arrived give way to those that brought one. A small part is
/// reserved for each link, so that nobody can keep a newcomer from being heard.
package struct AnnouncedShares: Sendable, Equatable {
    /// The part of the memory that one link takes.
    package struct Share: Sendable, Equatable {
        /// The memory that the announced envelopes of a link take.
        package var bytes: Int
        /// Whether the link ever brought an envelope that was new here.
        package let hasDelivered: Bool

        package init(bytes: Int, hasDelivered: Bool) {
            self.bytes = bytes
            self.hasDelivered = hasDelivered
        }
    }

    /// The memory that a link has to give back.
    package struct Yield: Sendable, Equatable {
        /// The index of the link.
        package let link: Int
        package let bytes: Int

        package init(link: Int, bytes: Int) {
            self.link = link
            self.bytes = bytes
        }
    }

    /// The memory for one envelope that is announced for the first time, in bytes.
    package static let entryBytes = WantTable.wantBytes + IncomingFeed.missingBytes

    private let shares: [Share]
    private let bytesMax: Int
    private let reserve: Int

    /// The shares of links in their order, of a node with these limits.
    package init(_ shares: [Share], limits: Limits) {
        self.shares = shares
        bytesMax = limits.announcedBytes
        reserve = max(limits.announcedBytes / (2 * limits.links), Self.entryBytes)
    }

    /// The number of envelopes for which there is memory.
    package var free: Int { freeBytes / Self.entryBytes }

    private var freeBytes: Int { max(0, bytesMax - shares.reduce(0) { $0 + $1.bytes }) }

    /// The link that must give memory back for the link at `index`; nil if none has to.
    ///
    /// Free memory is used first.
    package func yield(to index: Int) -> Yield? {
        var own = shares[index]
        own.bytes += freeBytes
        if own.hasDelivered, let link = largest(above: reserve, besides: index, delivered: false) {
            return Yield(link: link, bytes: shares[link].bytes - reserve)
        }
        let equal = largest(
            above: own.bytes + Self.entryBytes,
            besides: index,
            delivered: own.hasDelivered
        )
        if let equal {
            return Yield(link: equal, bytes: (shares[equal].bytes - own.bytes) / 2)
        }
        guard own.bytes < reserve, let link = largest(above: reserve, besides: index) else {
            return nil
        }
        return Yield(
            link: link,
            bytes: min(shares[link].bytes - reserve, reserve - own.bytes)
        )
    }

    /// The link with the largest share that is above `bytes`; of equal ones, the newest.
    private func largest(above bytes: Int, besides index: Int, delivered: Bool? = nil) -> Int? {
        var found: Int?
        for other in shares.indices
        where other != index && shares[other].bytes > bytes
            && delivered ?? shares[other].hasDelivered == shares[other].hasDelivered
            && shares[other].bytes >= (found.map { shares[$0].bytes } ?? 0)
        {
            found = other
        }
        return found
    }
}
