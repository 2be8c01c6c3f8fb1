/// The position of a row among the rows of its section, or of a section among sections, as a value.
///
/// A label stays with its row when others are inserted or deleted, and is never reused. So it names
/// a position even after the row is removed. Labels are compared part by part. A prefix precedes
/// the labels that extend it, so any number of labels fits between two.
struct OrderLabel: Hashable, Sendable {
    /// The parts that the labels of rows inserted together share: pairs of number and serial.
    let prefix: [Int64]
    let number: Int64
    /// The number of the insertion, which distinguishes its rows; 0 for insertions at an end.
    let serial: Int64

    /// The most significant first.
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
    /// Nil for any other text.
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

    /// In base 36, separated by points.
    var text: String { parts.map { String($0, radix: 36) }.joined(separator: ".") }
}

struct OrderKeyAllocator: Hashable, Sendable {
    private var lowest: Int64 = 0
    private var highest: Int64 = -1

    /// Allocates labels for elements that are inserted between two others.
    ///
    /// Numbers at the ends of the sequence are never reused. A client whose cursor is after the
    /// last element therefore sees elements that are appended later.
    ///
    /// The labels have consecutive numbers. `previous` is nil at the beginning, `next` at the end.
    /// `serial` is unique and not 0. Returns the first label.
    mutating func labels(
        _ count: Int,
        between previous: OrderLabel?,
        and next: OrderLabel?,
        serial: Int64
    ) -> OrderLabel {
        guard let previous, let next else {
            // These numbers are unique without a serial. So rows that are appended one by one have
            // consecutive labels, which are stored as one range.
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
        // Below the point where the two diverge, the next number still precedes the next label.
        if divergence < previous.prefix.count {
            let number = previous.number + 1
            return OrderLabel(prefix: previous.prefix, number: number, serial: serial)
        }
        return OrderLabel(prefix: low, number: 0, serial: serial)
    }
}
