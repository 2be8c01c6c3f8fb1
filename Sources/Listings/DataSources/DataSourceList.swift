/// Serves a data source as a list: its sections and rows as they stand, until a client asks for
/// another order.
///
/// Read in its own order, a page costs O(log n) and reads its own models only; its cursors name
/// places that outlive every edit. Sorted or grouped as a client asks, the rows are read and sorted
/// once for each version and order, O(n log n), by the first reader that needs it.
public struct DataSourceList: ListSource {
    /// What the list has; its arrangement is ``ListSchema/Arrangement/own``.
    public let schema: ListSchema
    private let dataSource: DataSource
    private let known = KnownOrders()

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - dataSource: The sections and models, which may change while they are served.
    ///   - schema: The columns, among them those of every registration in the data source.
    public init(_ dataSource: DataSource, schema: ListSchema) {
        self.dataSource = dataSource
        self.schema = schema.arranged(.own)
    }

    /// Makes a reader; all share the data source, and what its models were sorted by.
    public func makeReader() throws(SourceError) -> any ListReader {
        let dataSource = dataSource
        return SnapshotReader(
            schema: schema,
            changing: dataSource,
            sharing: known,
            version: { ListVersion(epoch: dataSource.epoch, counter: dataSource.version) },
            state: {
                let snapshot = dataSource.snapshot
                let version = ListVersion(epoch: dataSource.epoch, counter: snapshot.version)
                return (snapshot, version)
            }
        )
    }

    /// Calls after every update of the data source.
    public func observe(_ action: @escaping @Sendable () -> Void) -> (any Sendable)? {
        let caller = Caller(action)
        return (caller, dataSource.observe(caller))
    }

    /// Calls a closure for every change.
    private final class Caller: DataSourceObserver {
        private let action: @Sendable () -> Void

        init(_ action: @escaping @Sendable () -> Void) { self.action = action }

        func dataSource(_ dataSource: DataSource, didApply batch: ChangeBatch) { action() }
    }
}
