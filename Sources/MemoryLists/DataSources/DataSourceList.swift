import ListDiff
public import Listings

/// A list that serves a data source in its own order, unless the query has another one.
///
/// In its own order, a page costs O(log n) and reads only its own models. Its cursors stay valid
/// after every edit. For other orders, the first reader sorts the rows once for each version and
/// order, in O(n log n).
public struct DataSourceList: ControlledList {
    /// The schema of the list, with the arrangement ``ListSchema/Arrangement/own``.
    public let schema: ListSchema
    private let dataSource: DataSource
    private var controller: DataSourceController?
    private let known = SortCache()

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - dataSource: The sections and models, which may change while they are served.
    ///   - schema: The columns, including those of every registration in the data source.
    public init(_ dataSource: DataSource, schema: ListSchema) {
        self.dataSource = dataSource
        self.schema = schema.arranged(.own).limited(to: .all)
    }

    /// Creates a list of a controller, whose row controllers templates and checks then know, also
    /// before there are rows.
    ///
    /// - Parameters:
    ///   - controller: The sections and models, which may change while they are served.
    ///   - schema: The columns, including those of every row controller.
    public init(_ controller: DataSourceController, schema: ListSchema) {
        self.init(controller.dataSource, schema: schema)
        self.controller = controller
    }

    package var registrations: [RegistrationSummary] {
        let known = controller?.summaries ?? []
        return known
            + RegistrationSummary.all(in: dataSource.snapshot).filter { !known.contains($0) }
    }

    /// Creates a reader.
    ///
    /// All readers share the data source and the sorted orders.
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

    /// Calls the action after every update of the data source.
    public func observe(_ action: @escaping @Sendable () -> Void) -> (any Sendable)? {
        let caller = Caller(action)
        return (caller, dataSource.observe(caller))
    }

    private final class Caller: DataSourceObserver {
        private let action: @Sendable () -> Void

        init(_ action: @escaping @Sendable () -> Void) { self.action = action }

        func dataSource(_ dataSource: DataSource, didApply batch: ChangeBatch) { action() }
    }
}
