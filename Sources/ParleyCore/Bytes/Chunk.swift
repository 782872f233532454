/// Bytes that several holders share: allocated once, never changed, freed with the last `Slice`.
package final class Chunk: Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}
