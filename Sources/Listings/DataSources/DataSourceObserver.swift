import Locks

/// Is told of the changes of a data source, in the order of the versions.
///
/// A change is told twice: as the batch itself, and then once more at the coarsest granularity that
/// fits, for those who redraw rather than animate. Every method may be left out; then nothing
/// happens. The calls come from the threads that update the data source, one at a time, outside of
/// the update: an observer may update the data source itself.
public protocol DataSourceObserver: AnyObject, Sendable {
    /// The list changed.
    func dataSource(_ dataSource: DataSource, didApply batch: ChangeBatch)
    /// The list changed as a whole.
    func dataSourceWasMutated(_ dataSource: DataSource)
    /// One section changed.
    func dataSource(_ dataSource: DataSource, didMutateSection section: Int)
    /// Rows show something else.
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

/// Keeps an observer told; dropping it ends that.
public final class Observation: Sendable {
    private weak let dataSource: DataSource?
    private let id: UInt64

    init(_ dataSource: DataSource, id: UInt64) {
        self.dataSource = dataSource
        self.id = id
    }

    deinit { cancel() }

    /// Ends the observation: the observer is not told of anything that was not being told to it
    /// already.
    ///
    /// May be called at any time, also by the observer while it is told.
    public func cancel() { dataSource?.removeObserver(id) }
}

extension DataSource {
    /// Tells an observer of every change from now on.
    ///
    /// - Complexity: O(observers).
    ///
    /// - Parameter observer: Held weakly: when it goes, it is told nothing more.
    /// - Returns: To be kept as long as the observer is to be told.
    public func observe(_ observer: any DataSourceObserver) -> Observation {
        Observation(self, id: state.withLock { $0.audience.add(observer) })
    }

    func removeObserver(_ id: UInt64) {
        state.withLock { $0.audience.remove(id) }
    }

    /// The changes, as they come.
    ///
    /// A reader that is slower than the changes loses no memory and no order: behind
    /// `bufferedBatches` of them it gets one reload, from the version it has to the latest, in place
    /// of all it missed. The stream ends with the data source.
    ///
    /// - Parameters:
    ///   - version: The version the reader has; what came since then comes first, as single batches
    ///     if they are still known (the last 64 are), else as a reload. nil means the version now.
    ///   - bufferedBatches: The most batches that wait for the reader, at least 1.
    /// - Returns: The changes; for one reader.
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
