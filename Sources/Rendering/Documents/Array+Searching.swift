extension Array {
    /// The place of an element that is wanted, looked for from a place on and around the end: for what
    /// is asked for in one order again and again.
    ///
    /// - Parameters:
    ///   - start: 0...count.
    ///   - isWanted: Whether an element is.
    /// - Returns: The place; nil where no element is.
    /// - Complexity: O(count), O(1) where the order is the same.
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
