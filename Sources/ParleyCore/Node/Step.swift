/// What one call of `handle` gathers.
package struct Step: Sendable {
    package var now = Moment.start
    var writes: [StoreWrite] = []
    /// Sessions whose rows are to be written, in the order in which they changed.
    var changedSessions: [(conversation: Int, session: Int32)] = []
    /// Bytes of envelopes and blobs among the writes.
    var contentBytes = 0
    package var effects = Effects()
    /// Last bytes of links that end in this step.
    package var farewells: [LinkSend] = []

    package init() {}

    mutating func deliver(_ delivery: Delivery) { effects.deliveries.append(delivery) }
}
