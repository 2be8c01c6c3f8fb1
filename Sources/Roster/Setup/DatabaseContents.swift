import Database
import ListAPI
import Listings
import Locks
import SQLite

/// The lists of a read-only SQLite file: its tables and views, and lists of earlier imports.
struct DatabaseContents {
    let location: DatabaseLocation
    /// The imported lists, by name.
    let stored: [ListMetadata]
    /// The tables and views that are served as lists, by name.
    let foreign: [ForeignCatalog.List]
    /// The reasons why other tables and views are not served.
    let notices: [String]
    /// The schema version before the file was inspected.
    let schema: UInt64

    /// Inspects a file.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - mayBeEmpty: Whether the file may have no list.
    /// - Throws: ``Failure`` when it cannot be read, has no list, or has several for one given
    ///   name.
    init(_ source: SourceArgument, mayBeEmpty: Bool) throws(Failure) {
        location = .file(source.path)
        let catalog: ForeignCatalog
        let stored: [ListMetadata]
        do {
            catalog = try ForeignCatalog(location)
            stored = try ListCatalog.lists(
                in: try DatabaseConnection(location, access: .readOnly)
            )
        } catch {
            throw Failure(error, path: source.path, access: .readOnly)
        }
        let tables = try ForeignTables(
            catalog.lists,
            catalog.refusals,
            of: source,
            besides: stored.count,
            mayBeEmpty: mayBeEmpty
        )
        schema = catalog.schema
        foreign = tables.lists
        notices = tables.notices
        self.stored = stored
    }

    /// Returns the definition of a table as a list of records.
    ///
    /// - Throws: ``Failure`` when a column's name is reserved.
    func definition(
        of list: ForeignCatalog.List,
        columns: [Column],
        grouping: Grouping?,
        mark: SharedNumber
    ) throws(Failure) -> ListDefinition {
        var registry = ControllerRegistry()
        do {
            let schema = try ListSchema(
                columns: columns,
                idType: list.table.idType,
                defaultGrouping: grouping
            )
            let controller = RecordController(list: list.name, columns: columns)
            let source = TableSource(
                location: location,
                table: list.table,
                schema: schema,
                registration: try registry.register(controller),
                mark: mark
            )
            return ListDefinition(list.name, source: source)
        } catch {
            throw Failure(.badData, "table '\(list.name)' cannot be shown: \(error)")
        }
    }
}

/// The tables of a database that can be served, and the notices for the operator.
struct ForeignTables {
    /// The tables and views that are served as lists, by name.
    let lists: [ExternalList]
    /// The reasons why others are not served.
    let notices: [String]

    /// Removes tables whose names no list can have.
    ///
    /// - Parameters:
    ///   - lists: The tables and views that can be served.
    ///   - refusals: The tables and views that cannot be served.
    ///   - source: The database.
    ///   - others: The number of other lists that the database has.
    ///   - mayBeEmpty: Whether the database may have no list.
    /// - Throws: ``Failure`` when there is no list, or one name for several.
    init(
        _ lists: [ExternalList],
        _ refusals: [TableRefusal],
        of source: SourceArgument,
        besides others: Int = 0,
        mayBeEmpty: Bool
    ) throws(Failure) {
        let place = source.shown
        var notices = refusals.map { "\(place): \($0.text)" }
        var named: [ExternalList] = []
        for list in lists {
            do {
                try SourceArgument.check(list.name)
                named.append(list)
            } catch {
                notices.append("\(place): table '\(list.name)' has a name no list can have")
            }
        }
        self.lists = named
        self.notices = notices
        let count = named.count + others
        guard count > 0 || mayBeEmpty else {
            let reasons = notices.map { "; " + $0 }.joined()
            throw Failure(.badData, "\(place): holds no table that makes a list\(reasons)")
        }
        if let name = source.name {
            throw Failure(
                .usage,
                "\(name)=\(place): a database is not named; its \(count) lists are named "
                    + "after their tables"
            )
        }
    }
}

extension TableRefusal {
    /// The notice for the operator.
    var text: String {
        let why =
            switch reason {
            case .viewWithoutID: "is a view whose first column is no id"
            case .ambiguousKey(let column): "has equal or missing values under '\(column)'"
            case .unsuitableKey(let column): "has keys under '\(column)' that no id can show"
            case .noKey: "has no unique key"
            case .unreadable(let message): "cannot be read: \(message)"
            }
        return "'\(name)' \(why) and is not served"
    }
}
