import HTTP
import Locks
import System

/// The limit of open endless streams, over all loops and for each client address.
///
/// It is used only when such a stream begins and ends, so its lock is not on a request's path.
final class StreamLimiter: Sendable {
    private let maximum: Int
    private let count = Locked(0)
    private let addressCounts: PerAddressLimit?

    /// A quarter of the connections is reserved for other requests.
    init(_ limits: HTTPLimits, connections: Int) {
        maximum = min(limits.maximumStreams, max(1, connections / 4 * 3))
        addressCounts = limits.maximumStreamsPerAddress.map { PerAddressLimit(maximum: $0) }
    }

    var openCount: Int { count.withLock { $0 } }

    func enter(_ descriptor: borrowing FileDescriptor) -> Permit? {
        let isFree = count.withLock { count in
            guard count < maximum else { return false }
            count += 1
            return true
        }
        guard isFree else { return nil }
        guard let addressCounts,
            let network = (try? SocketAddress(ofPeer: descriptor))?.network
        else { return Permit(self, network: nil) }
        guard addressCounts.enter(network) else {
            count.withLock { $0 -= 1 }
            return nil
        }
        return Permit(self, network: network)
    }

    /// Removed from the count with its last reference.
    final class Permit {
        private let streams: StreamLimiter
        private let network: UInt64?

        fileprivate init(_ streams: StreamLimiter, network: UInt64?) {
            self.streams = streams
            self.network = network
        }

        deinit {
            streams.count.withLock { $0 -= 1 }
            if let network { streams.addressCounts?.leave(network) }
        }
    }
}

/// The number of open connections, streams or identifications of each client address.
///
/// It is used only when these begin and end, so its lock is not on a request's path.
package final class PerAddressLimit: Sendable {
    private let maximum: Int
    private let counts = Locked<[UInt64: Int]>([:])

    /// The maximum of one address is at least 1.
    package init(maximum: Int) {
        self.maximum = maximum
    }

    package func enter(_ network: UInt64) -> Bool {
        counts.withLock { counts in
            let count = counts[network, default: 0]
            guard count < maximum else { return false }
            counts[network] = count + 1
            return true
        }
    }

    /// Removes one from the count, and an address without any from memory.
    package func leave(_ network: UInt64) {
        counts.withLock { counts in
            guard let count = counts[network] else { return }
            counts[network] = count > 1 ? count - 1 : nil
        }
    }
}
