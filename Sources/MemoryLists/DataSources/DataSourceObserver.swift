public import ListDiff
public import Listings
import Locks

/// An observer of the changes of a data source, in the order of the versions.
///
/// Each change causes two calls: one with the batch, and one with the extent of the change. The
/// second is for observers that do not animate. Every method has an empty default implementation.
///
/// The updating threads make the calls one at a time, outside of the update. So an observer may
/// update the data source itself.
public protocol DataSourceObserver: AnyObject, Sendable {
    /// The list changed.
    func dataSource(_ dataSource: DataSource, didApply batch: ChangeBatch)
    /// The list changed as a whole.
    func dataSourceWasMutated(_ dataSource: DataSource)
    /// One section changed.
    func dataSource(_ dataSource: DataSource, didMutateSection section: Int)
    /// Rows changed in position.
    func dataSource(_ dataSource: DataSource, didMutateRows rows: [IndexPath])
}

extension DataSourceObserver {
    /// Does nothing.
    public func dataSource(_ dataSource: DataSource, didApply batch: ChangeBatch) {}
    /// Does nothing.
    public func dataSourceWasMutated(_ dataSource: DataSource) {}
    /// Does nothing.
    public func dataSource(_ dataSource: DataSource, didMutateSection section: Int) {}
    /// Does nothing.
    public func dataSource(_ dataSource: DataSource, didMutateRows rows: [IndexPath]) {}
}

/// A token of an observation, which ends when it is deallocated.
public final class Observation: Sendable {
    private weak let dataSource: DataSource?
    private let id: UInt64

    init(_ dataSource: DataSource, id: UInt64) {
        self.dataSource = dataSource
        self.id = id
    }

    deinit { cancel() }

    /// Ends the observation.
    ///
    /// A call in progress still completes.
    ///
    /// It may be called at any time, also by the observer during a call.
    public func cancel() { dataSource?.removeObserver(id) }
}

extension DataSource {
    /// Notifies an observer of every change from now on.
    ///
    /// - Complexity: O(observers).
    ///
    /// - Parameter observer: The observer, which is held weakly.
    /// - Returns: A token. The observation ends when it is released.
    public func observe(_ observer: any DataSourceObserver) -> Observation {
        Observation(self, id: state.withLock { $0.audience.add(observer) })
    }

    func removeObserver(_ id: UInt64) {
        state.withLock { $0.audience.remove(id) }
    }

    /// A stream of the changes.
    ///
    /// A slow reader cannot exhaust memory or lose the order. When `bufferedBatches` are pending,
    /// one reload to the latest version replaces them all. The stream ends with the data source.
    ///
    /// - Parameters:
    ///   - version: The version the reader has; nil for the current one. Later changes come first:
    ///     single batches if they are among the last 64, else a reload.
    ///   - bufferedBatches: The maximum number of pending batches, at least 1.
    /// - Returns: The changes, for one reader.
    public func changes(
        since version: UInt64? = nil,
        bufferedBatches: Int = 64
    ) -> AsyncStream<ChangeBatch> {
        precondition(bufferedBatches >= 1, "a buffer of \(bufferedBatches) batches holds none")
        let subscription = ChangeSubscription(limit: bufferedBatches)
        state.withLock { state in
            state.audience.add(subscription, since: version, current: state.current)
        }
        return AsyncStream {
            await subscription.next()
        } onCancel: {
            subscription.close()
        }
    }
}
