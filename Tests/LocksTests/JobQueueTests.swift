import Locks
import Synchronization
import Testing

@Suite("A queue of jobs")
struct JobQueueTests {
    @Test("takes as many jobs as there are free threads and places to wait")
    func room() {
        let queue = JobQueue(maximumWaiting: 2)
        let done = Atomic(0)
        let offer = { queue.offer { done.add(1, ordering: .relaxed) } }
        #expect([offer(), offer(), offer()] == [true, true, false])
        queue.expect(threads: 1)
        #expect([offer(), offer()] == [true, false])
        // The last job ends the work of this thread.
        #expect(!queue.offer { queue.close() })
        queue.expect(threads: 1)
        #expect(queue.offer { queue.close() })
        queue.work()
        #expect(done.load(ordering: .relaxed) == 3)
        #expect(!offer())
    }

    @Test("does jobs in the order they came, however many have been done")
    func order() {
        let queue = JobQueue(maximumWaiting: 1_000)
        let seen = Locked<[Int]>([])
        for number in 0..<999 { #expect(queue.offer { seen.withLock { $0.append(number) } }) }
        #expect(queue.offer { queue.close() })
        queue.work()
        #expect(seen.withLock { $0 } == Array(0..<999))
    }
}
