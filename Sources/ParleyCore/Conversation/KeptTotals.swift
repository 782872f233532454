/// The amounts that a node keeps of several conversations together.
package struct KeptTotals: Sendable, Equatable {
    package private(set) var all = KeptAmount()
    /// The part of the open conversations.
    package private(set) var open = KeptAmount()

    package init() {}

    /// Updates the totals after the amount kept of a conversation has changed.
    mutating func changed(_ before: KeptAmount, to now: KeptAmount, isOpen: Bool) {
        all -= before
        all += now
        guard isOpen else { return }
        open -= before
        open += now
    }
}

extension HeadRecord {
    /// The part of a quota that the head takes.
    var kept: KeptAmount {
        KeptAmount(heads: 1, bytes: size + BlobReference.bytes(of: blobs))
    }
}

extension BlobReference {
    /// The total size of blobs, each of which is within `Limits.blobBytes`.
    static func bytes(of blobs: [BlobReference]) -> Int { blobs.reduce(0) { $0 + Int($1.size) } }
}
