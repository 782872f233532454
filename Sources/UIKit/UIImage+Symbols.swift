public import Messages

extension UIImage {
    /// Returns nil: the symbols of Apple's systems may be used only on these systems.
    ///
    /// Apple's initialiser also returns nil for a name that it does not know.
    public convenience init?(systemName name: String) {
        return nil
    }
}
