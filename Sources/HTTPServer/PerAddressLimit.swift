import Locks

/// The number of open connections of each client address, over all loops.
///
/// It is used only when connections are opened and closed, so its lock is not on a request's path.
final class PerAddressLimit: Sendable {
    private let maximum: Int
    private let counts = Locked<[UInt64: Int]>([:])

    /// Creates empty counts.
    ///
    /// - Parameter maximum: The maximum connections of one address, at least 1.
    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Counts another connection of an address; false if the address has the maximum.
    func enter(_ network: UInt64) -> Bool {
        counts.withLock { counts in
            let count = counts[network, default: 0]
            guard count < maximum else { return false }
            counts[network] = count + 1
            return true
        }
    }

    /// Removes a connection from the count, and an address without any from memory.
    func leave(_ network: UInt64) {
        counts.withLock { counts in
            guard let count = counts[network] else { return }
            counts[network] = count > 1 ? count - 1 : nil
        }
    }
}
