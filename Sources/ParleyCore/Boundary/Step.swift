/// The writes and effects that one call of `handle` gathers.
package struct Step: Sendable {
    package var now = Moment.start
    package var writes: [StoreWrite] = []
    /// Bytes of envelopes and blobs among the writes.
    var contentBytes = 0
    package var effects = Effects()
    /// Last bytes of links that end in this step.
    package var farewells: [LinkSend] = []

    package init() {}

    /// Counts `bytes` for the contents written after `before`, if there are any and fewer.
    mutating func holds(_ bytes: Int, after before: Int) {
        if contentBytes > before { contentBytes = max(contentBytes, before + bytes) }
    }

    mutating func deliver(_ delivery: Delivery) { effects.deliveries.append(delivery) }
}
