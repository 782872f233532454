/// The indices of a replication.
package struct ReplicationIndex: Sendable, Equatable {
    /// The index of the link.
    package let link: Int
    /// The index of the replication on the link.
    package let replication: Int

    package init(link: Int, replication: Int) {
        self.link = link
        self.replication = replication
    }
}
