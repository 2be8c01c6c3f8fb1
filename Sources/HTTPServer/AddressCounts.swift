import Locks

/// How many connections each client address has open, over all loops.
///
/// Asked when connections are opened and closed only, so that its lock is not on a request's path.
final class AddressCounts: Sendable {
    private let maximum: Int
    private let counts = Locked<[UInt64: Int]>([:])

    /// Creates counts of nobody.
    ///
    /// - Parameter maximum: The most connections of one address, at least 1.
    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Counts another connection of an address, if it may have one.
    func enter(_ network: UInt64) -> Bool {
        counts.withLock { counts in
            let count = counts[network, default: 0]
            guard count < maximum else { return false }
            counts[network] = count + 1
            return true
        }
    }

    /// Counts a connection less; nothing is kept of addresses without any.
    func leave(_ network: UInt64) {
        counts.withLock { counts in
            guard let count = counts[network] else { return }
            counts[network] = count > 1 ? count - 1 : nil
        }
    }
}
