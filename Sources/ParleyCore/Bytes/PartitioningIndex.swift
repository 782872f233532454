extension RandomAccessCollection where Index == Int {
    /// The index of the first element for which `belongsInSecond` holds, or `endIndex`.
    ///
    /// The predicate must hold for all later elements, and for no earlier one. O(log count).
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
