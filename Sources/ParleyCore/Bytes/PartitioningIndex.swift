extension RandomAccessCollection where Index == Int {
    /// The index of the first element for which `belongsInSecond` holds, or `endIndex`.
    ///
    /// It holds for all elements behind that one, and for none before it. O(log count).
    func partitioningIndex(where belongsInSecond: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if belongsInSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
