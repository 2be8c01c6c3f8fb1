import Locks

/// A token bucket rate limiter for clients, shared by all loops.
///
/// It remembers clients for at most two seconds, in a table of fixed size. A client that another
/// one displaces starts with a full bucket.
package final class RateLimits: Sendable {
    private struct Bucket {
        var client: UInt64 = 0
        /// The number of requests that the client may still send, in thousandths.
        var room = 0
        var time = ContinuousClock.Instant.now
    }

    private static let shardCount = 16
    private static let bucketsPerShard = 512
    /// The number of slots in a shard that a client may occupy.
    private static let ways = 4

    package let perSecond: Int
    private let shards: [Locked<[Bucket]>]

    /// The number is at least 1; a client may send twice that number after a pause.
    package init(perSecond: Int) {
        self.perSecond = perSecond
        shards = (0..<Self.shardCount).map { _ in
            Locked(Array(repeating: Bucket(), count: Self.bucketsPerShard))
        }
    }

    /// Nil when the request is accepted, else the seconds until the next one is.
    ///
    /// The client is not 0. Without counting, the call only checks for room.
    package func take(
        _ client: UInt64,
        at now: ContinuousClock.Instant,
        counting isCounted: Bool = true
    ) -> Int? {
        // Spreads neighbours (Fibonacci hashing).
        let spread = client &* 0x9E37_79B9_7F4A_7C15
        let shard = shards[Int(spread >> 60)]
        let first = Int(spread >> 32 & UInt64(Self.bucketsPerShard - 1))
        let burst = perSecond * 2_000
        return shard.withLock { buckets in
            var bucket = first
            for way in 0..<Self.ways {
                let index = (first + way) & (Self.bucketsPerShard - 1)
                if buckets[index].client == client {
                    bucket = index
                    break
                }
                if buckets[index].time < buckets[bucket].time { bucket = index }
            }
            if buckets[bucket].client != client {
                buckets[bucket] = Bucket(client: client, room: burst, time: now)
            }
            let elapsed = min(now - buckets[bucket].time, .seconds(2))
            let gained = Int(elapsed / .microseconds(1)) * perSecond / 1000
            if gained > 0 {
                buckets[bucket].room = min(burst, buckets[bucket].room + gained)
                buckets[bucket].time = now
            }
            guard buckets[bucket].room < 1000 else {
                if isCounted { buckets[bucket].room -= 1000 }
                return nil
            }
            // The wait is below one second for every rate of at least 1, rounded up.
            return 1
        }
    }
}
