/// Numbers of bytes as a configuration has them.
enum ByteSize {
    private static let units = ["B", "KiB", "MiB", "GiB", "TiB"]

    /// The number in the greatest unit of which it is a multiple, such as `24MiB`.
    static func text(_ bytes: Int) -> String {
        var (count, unit) = (bytes, 0)
        while count > 0, count.isMultiple(of: 1_024), unit + 1 < units.count {
            count /= 1_024
            unit += 1
        }
        return "\(count)\(units[unit])"
    }
}
