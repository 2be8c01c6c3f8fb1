/// The deadlines of numbered slots, the earliest first.
///
/// Made for deadlines that are moved with every byte and seldom pass: moving one to a later time, or
/// dropping it, writes one number; the heap learns of it when the earlier time comes. Nothing is
/// allocated but when more slots are used than ever before.
package struct Deadlines: Sendable {
    private struct Entry {
        var instant: ContinuousClock.Instant
        var slot: Int
    }

    private struct Slot {
        /// The index of the slot's entry in the heap; nil without one.
        var place: Int?
        var deadline: ContinuousClock.Instant?
    }

    /// A binary heap; an entry may be earlier than its slot's deadline, never later.
    private var heap: [Entry] = []

    private var slots: [Slot] = []

    /// Creates an empty set of deadlines.
    package init() {}

    /// Sets or moves the deadline of a slot; nil drops it.
    ///
    /// - Complexity: O(1) to a later time and for nil, O(log n) to an earlier one.
    package mutating func set(_ slot: Int, to deadline: ContinuousClock.Instant?) {
        precondition(slot >= 0, "slot \(slot)")
        while slot >= slots.count { slots.append(Slot()) }
        slots[slot].deadline = deadline
        guard let deadline else { return }
        if let place = slots[slot].place {
            guard deadline < heap[place].instant else { return }
            heap[place].instant = deadline
            rise(from: place)
        } else {
            heap.append(Entry(instant: deadline, slot: slot))
            slots[slot].place = heap.count - 1
            rise(from: heap.count - 1)
        }
    }

    /// When to look again: no deadline passes earlier.
    ///
    /// May be earlier than the earliest deadline; `popPassed(now:)` puts that right.
    package var nextLook: ContinuousClock.Instant? { heap.first?.instant }

    /// Takes out a slot whose deadline has come; nil when there is none.
    ///
    /// - Complexity: O(log n) for each slot returned and each entry that was moved later since.
    package mutating func popPassed(now: ContinuousClock.Instant) -> Int? {
        while let first = heap.first, first.instant <= now {
            switch slots[first.slot].deadline {
            case nil:
                removeFirst()
            case .some(let deadline) where deadline > now:
                heap[0].instant = deadline
                sink()
            case .some:
                removeFirst()
                slots[first.slot].deadline = nil
                return first.slot
            }
        }
        return nil
    }

    private mutating func removeFirst() {
        slots[heap[0].slot].place = nil
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        slots[last.slot].place = 0
        sink()
    }

    private mutating func rise(from start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].instant < heap[parent].instant else { return }
            swap(index, parent)
            index = parent
        }
    }

    private mutating func sink() {
        var index = 0
        while true {
            var earliest = index
            for child in (2 * index + 1)...(2 * index + 2)
            where child < heap.count && heap[child].instant < heap[earliest].instant {
                earliest = child
            }
            guard earliest != index else { return }
            swap(index, earliest)
            index = earliest
        }
    }

    private mutating func swap(_ first: Int, _ second: Int) {
        heap.swapAt(first, second)
        slots[heap[first].slot].place = first
        slots[heap[second].slot].place = second
    }
}
