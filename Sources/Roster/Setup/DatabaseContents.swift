import Database
import Listings
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

    /// Looks through a file.
    ///
    /// - Throws: ``Failure`` when it cannot be read, holds no list, or is given one name and holds
    ///   several.
    init(_ source: SourceArgument) throws(Failure) {
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
        var notices = catalog.refusals.map { "\(source.path): \($0.text)" }
        var foreign: [ForeignCatalog.List] = []
        for list in catalog.lists {
            do {
                try SourceArgument.check(list.name)
                foreign.append(list)
            } catch {
                notices.append("\(source.path): table '\(list.name)' has a name no list can have")
            }
        }
        self.foreign = foreign
        self.stored = stored
        self.notices = notices
        let count = stored.count + foreign.count
        guard count > 0 else {
            let reasons = notices.map { "; " + $0 }.joined()
            throw Failure(.badData, "\(source.path): holds no table that makes a list\(reasons)")
        }
        if let name = source.name {
            throw Failure(
                .usage,
                "\(name)=\(source.path): a database is not named; its \(count) lists are named "
                    + "after their tables"
            )
        }
    }

    /// A table as a list of records.
    ///
    /// - Throws: ``Failure`` when a column's name is reserved.
    func definition(
        of list: ForeignCatalog.List,
        columns: [Column],
        grouping: Grouping?
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
                list: list.name,
                location: location,
                table: list.table,
                schema: schema,
                registration: try registry.register(controller)
            )
            return ListDefinition(list.name, source: source)
        } catch {
            throw Failure(.badData, "table '\(list.name)' cannot be shown: \(error)")
        }
    }
}

extension ForeignCatalog.Refusal {
    /// What the operator is told.
    var text: String {
        let why =
            switch reason {
            case .viewWithoutID: "is a view whose first column is no id"
            case .ambiguousKey(let column): "has equal or missing values under '\(column)'"
            case .uncheckedKey(let column): "is too large to check '\(column)' for equal values"
            case .unsuitableKey(let column): "has keys under '\(column)' that no id can show"
            case .noKey: "has no key that tells rows apart"
            case .unreadable(let message): "cannot be read: \(message)"
            }
        return "'\(name)' \(why) and is not served"
    }
}
