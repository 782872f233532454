/// A blob as a head of a conversation lists it.
package struct BlobListing: Sendable, Equatable {
    /// The number of the conversation in this data directory.
    package let conversation: UInt32
    package let blob: BlobReference

    package init(conversation: UInt32, blob: BlobReference) {
        self.conversation = conversation
        self.blob = blob
    }
}
