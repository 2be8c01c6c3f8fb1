import Locks

/// So many requests a second of each client, over all loops (token bucket).
///
/// The clients of two seconds at most are remembered, in a table that does not grow: whoever is put
/// out of it by another begins anew.
package final class RateLimits: Sendable {
    /// What is known of a client.
    private struct Bucket {
        var client: UInt64 = 0
        /// The requests it may still send, in thousandths.
        var room = 0
        var time = ContinuousClock.Instant.now
    }

    private static let shardCount = 16
    private static let bucketsPerShard = 512
    /// Places of a shard where a client may stand.
    private static let ways = 4

    /// The requests of a client in each second.
    let perSecond: Int
    private let shards: [Locked<[Bucket]>]

    /// Creates limits.
    ///
    /// - Parameter perSecond: The requests of a client in each second, at least 1; after a pause
    ///   twice as many.
    package init(perSecond: Int) {
        self.perSecond = perSecond
        shards = (0..<Self.shardCount).map { _ in
            Locked(Array(repeating: Bucket(), count: Self.bucketsPerShard))
        }
    }

    /// Takes a request of a client.
    ///
    /// - Parameters:
    ///   - client: Tells clients apart; not 0.
    ///   - now: The present.
    ///   - isCounted: Whether the request is; else it is only looked whether there is room for one.
    /// - Returns: The seconds until the next request is taken; nil when this one is.
    func take(
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
            var place = first
            for way in 0..<Self.ways {
                let index = (first + way) & (Self.bucketsPerShard - 1)
                if buckets[index].client == client {
                    place = index
                    break
                }
                if buckets[index].time < buckets[place].time { place = index }
            }
            if buckets[place].client != client {
                buckets[place] = Bucket(client: client, room: burst, time: now)
            }
            let elapsed = min(now - buckets[place].time, .seconds(2))
            let gained = Int(elapsed / .microseconds(1)) * perSecond / 1000
            if gained > 0 {
                buckets[place].room = min(burst, buckets[place].room + gained)
                buckets[place].time = now
            }
            guard buckets[place].room < 1000 else {
                if isCounted { buckets[place].room -= 1000 }
                return nil
            }
            // 1 at least: what is left to wait is less than a second for every rate from 1 on.
            return 1
        }
    }
}
