/// Numbers of bytes in a configuration.
enum ByteSize {
    private static let units = ["B", "KiB", "MiB", "GiB", "TiB"]

    /// The number in the greatest unit that divides it, such as `24MiB`.
    static func text(_ bytes: Int) -> String {
        var (count, unit) = (bytes, 0)
        while count > 0, count.isMultiple(of: 1_024), unit + 1 < units.count {
            count /= 1_024
            unit += 1
        }
        return "\(count)\(units[unit])"
    }
}
