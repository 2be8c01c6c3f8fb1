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

    @Test("takes turns between clients, each in its order")
    func turns() {
        let queue = JobQueue(maximumWaiting: 1_000)
        let seen = Locked<[String]>([])
        for (client, name) in [(1, "a1"), (1, "a2"), (1, "a3"), (2, "b1"), (2, "b2"), (3, "c1")] {
            #expect(queue.offer(of: UInt64(client)) { seen.withLock { $0.append(name) } })
        }
        #expect(queue.offer(of: 4) { _ = queue.offer(of: 1) { queue.close() } })
        queue.work()
        #expect(seen.withLock { $0 } == ["a1", "b1", "c1", "a2", "b2", "a3"])
    }

    @Test("runs the jobs of one client on a quarter of the threads, and on one at least")
    func shares() {
        for (threads, share) in [(1, 1), (3, 1), (8, 2), (12, 3)] {
            let queue = JobQueue(maximumWaiting: 1_000)
            queue.expect(threads: threads)
            let seen = Locked<[UInt64]>([])
            // Each job lets the same thread take another one meanwhile, as a further thread would.
            for _ in 0..<5 {
                #expect(
                    queue.offer(of: 1) {
                        let isFirst = seen.withLock { seen in
                            seen.append(1)
                            return seen.count <= share
                        }
                        if isFirst { queue.work() }
                    }
                )
            }
            let isOther = queue.offer(of: 2) {
                seen.withLock { $0.append(2) }
                queue.close()
            }
            #expect(isOther)
            queue.work()
            // The turns of the clients alternate while the first one has a share.
            #expect(seen.withLock { $0.count { $0 == 1 } } <= share, "\(threads) threads")
            #expect(seen.withLock { $0.last } == 2)
        }
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
