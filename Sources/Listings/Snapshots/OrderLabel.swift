/// Where a row stands among the rows of its section, or a section among sections, by value.
///
/// A label stays with its row whatever is inserted or deleted around it, and is given out once: so
/// it still names a place when the row is gone. Labels are compared part by part, a label before
/// those that go on behind it: between any two there is room for any number.
struct OrderLabel: Hashable, Sendable {
    /// The parts that the labels of rows inserted together share: pairs of number and serial.
    let prefix: [Int64]
    /// Grows from row to row.
    let number: Int64
    /// Tells the rows of one insertion from those of every other; 0 for insertions at an end.
    let serial: Int64

    /// All parts, in the order of their weight.
    var parts: [Int64] { prefix + [number, serial] }
}

extension OrderLabel: Comparable {
    static func < (left: OrderLabel, right: OrderLabel) -> Bool {
        let common = min(left.partCount, right.partCount)
        for index in 0..<common {
            let (a, b) = (left.part(index), right.part(index))
            if a != b { return a < b }
        }
        return left.partCount < right.partCount
    }

    private var partCount: Int { prefix.count + 2 }

    private func part(_ index: Int) -> Int64 {
        index < prefix.count ? prefix[index] : index == prefix.count ? number : serial
    }
}

extension OrderLabel {
    /// Reads what `text` wrote; nil for anything else.
    init?(_ text: Substring) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map {
            Int64($0, radix: 36)
        }
        guard parts.count >= 2, parts.count.isMultiple(of: 2), !parts.contains(nil) else {
            return nil
        }
        let numbers = parts.compactMap(\.self)
        prefix = Array(numbers.dropLast(2))
        number = numbers[numbers.count - 2]
        serial = numbers[numbers.count - 1]
    }

    /// The parts in base 36, separated by points.
    var text: String { parts.map { String($0, radix: 36) }.joined(separator: ".") }
}

/// Gives out the labels of one sequence.
struct LabelSpace: Hashable, Sendable {
    private var lowest: Int64 = 0
    private var highest: Int64 = -1

    /// Makes labels for elements that are put between two others.
    ///
    /// At the ends of the sequence no number comes twice: who stood behind the last element sees
    /// what is appended later.
    ///
    /// - Parameters:
    ///   - count: The number of labels; their numbers follow one another.
    ///   - previous: The label before them; nil at the beginning.
    ///   - next: The label behind them; nil at the end.
    ///   - serial: Differs from insertion to insertion, and is not 0.
    /// - Returns: The first label.
    mutating func labels(
        _ count: Int,
        between previous: OrderLabel?,
        and next: OrderLabel?,
        serial: Int64
    ) -> OrderLabel {
        guard let previous, let next else {
            // Their numbers alone are given out once, so that rows appended one by one have labels
            // that count on and need not be written down one by one.
            if next == nil {
                defer { highest += Int64(count) }
                return OrderLabel(prefix: [], number: highest + 1, serial: 0)
            }
            lowest -= Int64(count)
            return OrderLabel(prefix: [], number: lowest, serial: 0)
        }
        let (low, high) = (previous.parts, next.parts)
        if high.count > low.count, high.starts(with: low) {
            let number = high[low.count] - Int64(count)
            return OrderLabel(prefix: low, number: number, serial: serial)
        }
        let divergence = zip(low, high).prefix { $0 == $1 }.count
        // Deeper than where the two part: counting on stays below the next label.
        if divergence < previous.prefix.count {
            let number = previous.number + 1
            return OrderLabel(prefix: previous.prefix, number: number, serial: serial)
        }
        return OrderLabel(prefix: low, number: 0, serial: serial)
    }
}
