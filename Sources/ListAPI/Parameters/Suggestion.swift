package enum Suggestion {
    /// The distance counts insertions, deletions, replacements and swaps (Damerau 1964).
    ///
    /// A third of the letters may differ, at least one and at most three. Case does not count.
    package static func nearest(to word: String, among candidates: some Sequence<String>) -> String?
    {
        let letters = Array(word.lowercased().utf8)
        // Only short words can be typing errors; this also bounds the work.
        guard letters.count <= 64 else { return nil }
        let allowed = min(3, max(1, letters.count / 3))
        var best: (word: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(letters, Array(candidate.lowercased().utf8))
            guard distance <= allowed, distance < best?.distance ?? .max else { continue }
            best = (candidate, distance)
        }
        return best?.word
    }

    package static func hint(for word: String, among candidates: some Sequence<String>) -> String {
        hint(nearest(to: word, among: candidates))
    }

    package static func hint(_ word: String?) -> String {
        word.map { "; did you mean \($0)?" } ?? ""
    }

    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before: [Int] = []
        var previous = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let isEqual = left[row] == right[column]
                var cost = min(
                    previous[column] + (isEqual ? 0 : 1),
                    previous[column + 1] + 1,
                    current[column] + 1
                )
                let isSwap =
                    row > 0 && column > 0 && left[row] == right[column - 1]
                    && left[row - 1] == right[column]
                if isSwap { cost = min(cost, before[column - 1] + 1) }
                current.append(cost)
            }
            before = previous
            previous = current
        }
        return previous[right.count]
    }
}
