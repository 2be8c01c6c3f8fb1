/// The deadlines of numbered slots, the earliest first.
///
/// Optimised for deadlines that move with every byte and seldom pass. Moving one to a later time,
/// or dropping it, writes one number. The heap is updated when the earlier time comes. It allocates
/// only when more slots are used than ever before.
package struct TimerHeap: Sendable {
    private struct Entry {
        var instant: ContinuousClock.Instant
        var slot: Int
    }

    private struct Slot {
        /// The index of the slot's entry in the heap; nil without one.
        var location: Int?
        var deadline: ContinuousClock.Instant?
    }

    /// A binary heap, in which an entry may be earlier than its slot's deadline, never later.
    private var heap: [Entry] = []

    private var slots: [Slot] = []

    package init() {}

    /// Nil drops the deadline.
    ///
    /// - Complexity: O(1) to a later time and for nil, O(log n) to an earlier one.
    package mutating func set(_ slot: Int, to deadline: ContinuousClock.Instant?) {
        precondition(slot >= 0, "slot \(slot)")
        while slot >= slots.count { slots.append(Slot()) }
        slots[slot].deadline = deadline
        guard let deadline else { return }
        if let location = slots[slot].location {
            guard deadline < heap[location].instant else { return }
            heap[location].instant = deadline
            rise(from: location)
        } else {
            heap.append(Entry(instant: deadline, slot: slot))
            slots[slot].location = heap.count - 1
            rise(from: heap.count - 1)
        }
    }

    /// The time of the next check: no deadline passes earlier.
    ///
    /// It may be earlier than the earliest deadline; `popPassed(now:)` corrects that.
    package var nextCheck: ContinuousClock.Instant? { heap.first?.instant }

    /// Nil if no deadline has passed.
    ///
    /// - Complexity: O(log n) for each slot returned and each entry that was moved to a later time.
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
        slots[heap[0].slot].location = nil
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        slots[last.slot].location = 0
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
        slots[heap[first].slot].location = first
        slots[heap[second].slot].location = second
    }
}
