/// Values that are taken in the order in which they were appended, with O(1) operations.
package struct FIFO<Element> {
    /// The values, with nil for those before `first`, which are taken.
    private var values: [Element?] = []
    private var first = 0

    package init() {}

    package var count: Int { values.count - first }

    package var isEmpty: Bool { first == values.count }

    package mutating func append(_ value: Element) { values.append(value) }

    package mutating func takeFirst() -> Element? {
        guard first < values.count, let value = values[first] else { return nil }
        values[first] = nil
        first += 1
        // The front is removed once it is half of the array, which costs O(1) for each value.
        if first * 2 >= values.count {
            values.removeFirst(first)
            first = 0
        }
        return value
    }

    package mutating func takeLast() -> Element? {
        guard !isEmpty else { return nil }
        return values.removeLast()
    }
}

extension FIFO: Sendable where Element: Sendable {}
