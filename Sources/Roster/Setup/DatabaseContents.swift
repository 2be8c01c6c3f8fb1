import Database
import Listings
import Locks
import SQLite

/// The lists of an SQLite file that is only read: tables and views of somebody else, and lists that
/// an earlier run imported.
struct DatabaseContents {
    let location: DatabaseLocation
    /// The lists that were imported, by name.
    let stored: [StoredList]
    /// The tables and views that make lists, by name.
    let foreign: [ForeignCatalog.List]
    /// The tables and views that make none, and why.
    let notices: [String]
    /// The number of the schema before it was looked through.
    let schema: UInt64

    /// Looks through a file.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - mayBeEmpty: Whether it may hold no list.
    /// - Throws: ``Failure`` when it cannot be read, holds no list, or is given one name and holds
    ///   several.
    init(_ source: SourceArgument, mayBeEmpty: Bool) throws(Failure) {
        location = .file(source.path)
        let catalog: ForeignCatalog
        let stored: [StoredList]
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

    /// A table as a list of records.
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

/// The tables of somebody else's database that can be served, and what the operator should know.
struct ForeignTables {
    /// The tables and views that make lists, by name.
    let lists: [ForeignList]
    /// Why others make none.
    let notices: [String]

    /// Leaves out tables that no list can be named after.
    ///
    /// - Parameters:
    ///   - lists: The tables and views that make lists.
    ///   - refusals: Those that make none.
    ///   - source: The database.
    ///   - others: The number of other lists that the database has.
    ///   - mayBeEmpty: Whether there may be no list.
    /// - Throws: ``Failure`` when there is no list, or one name for several.
    init(
        _ lists: [ForeignList],
        _ refusals: [TableRefusal],
        of source: SourceArgument,
        besides others: Int = 0,
        mayBeEmpty: Bool
    ) throws(Failure) {
        let place = source.shown
        var notices = refusals.map { "\(place): \($0.text)" }
        var named: [ForeignList] = []
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
    /// What the operator is told.
    var text: String {
        let why =
            switch reason {
            case .viewWithoutID: "is a view whose first column is no id"
            case .ambiguousKey(let column): "has equal or missing values under '\(column)'"
            case .unsuitableKey(let column): "has keys under '\(column)' that no id can show"
            case .noKey: "has no key that tells rows apart"
            case .unreadable(let message): "cannot be read: \(message)"
            }
        return "'\(name)' \(why) and is not served"
    }
}
