import ParleyCore

extension Slice {
    /// Whether both slices are parts of one array, so that no bytes were copied.
    func isPart(of other: Slice) -> Bool {
        storage.withUnsafeBytes { own in
            other.storage.withUnsafeBytes { own.baseAddress == $0.baseAddress }
        }
    }
}
