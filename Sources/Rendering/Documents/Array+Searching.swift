extension Array {
    /// Returns the index of a matching element, searched from an index to the end and then from the
    /// beginning.
    ///
    /// This is fast for repeated searches in the same order.
    ///
    /// - Parameters:
    ///   - start: The first index to check, 0...count.
    ///   - isWanted: Whether an element matches.
    /// - Returns: The index, or nil if no element matches.
    /// - Complexity: O(count), O(1) if the order is the same.
    @inlinable
    package func firstIndex(from start: Int, where isWanted: (Element) -> Bool) -> Int? {
        for offset in indices {
            let place = start + offset
            let index = place < count ? place : place - count
            if isWanted(self[index]) { return index }
        }
        return nil
    }
}
