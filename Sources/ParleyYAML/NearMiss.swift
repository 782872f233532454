/// Suggests a known word for one that is not known.
package enum NearMiss {
    /// The nearest known word if the distance is small, else all known words.
    ///
    /// `prefix` stands before each word, and does not count.
    package static func hint(
        for word: String,
        among known: [String],
        prefix: String = ""
    ) -> String {
        if let near = nearest(to: word, among: known) { return "Did you mean \(prefix)\(near)?" }
        return "Known: \(known.map { prefix + $0 }.joined(separator: ", "))"
    }

    /// The nearest known word; nil if none is near.
    package static func nearest(to word: String, among known: [String]) -> String? {
        let word = String(word.prefix(40)).lowercased()
        let near = known.map { (distance(word, String($0.prefix(64)).lowercased()), $0) }
            .min { $0.0 < $1.0 }
        guard let near, near.0 <= max(1, min(3, near.1.count / 2)) else { return nil }
        return near.1
    }

    /// The letters to insert, to remove, to replace and to swap with their neighbour until one
    /// word is the other (optimal string alignment).
    package static func distance(_ one: String, _ other: String) -> Int {
        let (a, b) = (Array(one), Array(other))
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                let replaced = rows[i][j] + (a[i] == b[j] ? 0 : 1)
                var least = min(replaced, rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
