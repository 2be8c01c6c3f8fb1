import Database
import ListAPI
import Listings
import Locks
import SQLite

/// The lists of a read-only SQLite file: its tables and views, and lists of earlier imports.
struct DatabaseContents {
    let location: DatabaseLocation
    /// The imported lists, by name.
    let stored: [ForeignCatalog.StoredList]
    /// The tables and views that are served as lists, by name.
    let foreign: [ForeignCatalog.List]
    /// The checks of their descriptions, by name.
    let checks: [String: DescriptionCheck]
    /// The foreign keys between them.
    let relations: [ListRelation]
    /// The notices about tables that are numbered, renamed, hidden or refused.
    let notices: [String]
    let selected: SelectedTables
    /// The schema version before the file was inspected.
    let schema: UInt64

    /// Inspects a file.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - selection: The tables that settings select.
    ///   - mayBeEmpty: Whether the file may have no list.
    ///   - steps: The maximum number of SQLite instructions per table.
    /// - Throws: ``Failure`` when it cannot be read or has no list.
    init(
        _ source: SourceArgument,
        _ selection: TableSelection,
        mayBeEmpty: Bool,
        _ steps: Int
    ) throws(Failure) {
        location = .file(source.path)
        let catalog: ForeignCatalog
        do {
            catalog = try ForeignCatalog(location, selection: selection.of(source), steps: steps)
        } catch {
            throw Failure(error, path: source.path, access: .readOnly)
        }
        let tables = try ForeignTables(
            catalog.lists,
            catalog.refusals,
            catalog.selected,
            of: source,
            besides: catalog.stored.count,
            mayBeEmpty: mayBeEmpty
        )
        schema = catalog.schema
        selected = catalog.selected
        relations = catalog.relations
        foreign = tables.lists
        checks = catalog.checks
        stored = catalog.stored
        var notices = tables.notices
        if catalog.isImmutable {
            notices.append(
                "\(source.shown): its folder cannot be written, so it is read as immutable; "
                    + "changes are not seen while another program has them in its log"
            )
        }
        self.notices = notices
    }

    /// Returns the definition of a table as a list of records.
    ///
    /// - Throws: ``Failure`` when a column's name is reserved.
    func definition(
        of list: ForeignCatalog.List,
        columns: [Column],
        grouping: Grouping?,
        mark: SharedNumber,
        described: DescribedList?
    ) throws(Failure) -> ListDefinition {
        var registry = ControllerRegistry()
        do {
            var table = list.table
            var schema = try ListSchema(
                columns: columns,
                idType: table.idType,
                defaultGrouping: grouping
            )
            if let described {
                table = table.choosing(described.order(of: columns))
                schema = described.applied(to: schema)
            }
            schema.basis = "\(list.table.key) \(schema.columns.map(\.type))"
            let controller = RecordController(list: list.name, columns: schema.columns)
            let source = TableSource(
                location: location,
                table: table,
                schema: schema,
                registration: try registry.register(controller),
                mark: mark,
                check: checks[list.name]
            )
            return ListDefinition(list.name, source: source).described(by: described)
        } catch {
            throw Failure(.badData, "table '\(list.name)' cannot be shown: \(error)")
        }
    }
}

/// The tables of a database that can be served, and the notices for the operator.
struct ForeignTables {
    /// The tables and views that are served as lists, by name.
    let lists: [ExternalList]
    /// The reasons why others are not served, and the notices about those that are.
    let notices: [String]

    /// Collects the notices.
    ///
    /// - Throws: ``Failure`` when there is no list, a list has a key of unknown columns, or the
    ///   source names an unknown table or several.
    init(
        _ lists: [ExternalList],
        _ refusals: [TableRefusal],
        _ selected: SelectedTables,
        of source: SourceArgument,
        besides others: Int = 0,
        mayBeEmpty: Bool
    ) throws(Failure) {
        let place = source.shown
        var notices = refusals.map { "\(place): \($0.text)" }
        notices += lists.compactMap { list in
            list.numbered.map { "\(place): \($0.numbering(of: list))" }
        }
        notices += selected.renames.map { table, list in
            "\(place): table '\(table)' has a name no list can have and is served as '\(list)'"
        }
        if !selected.internals.isEmpty {
            let shown = 5
            let names = selected.internals.prefix(shown).map { "'\($0)'" }
                .joined(separator: ", ")
            let rest = selected.internals.count - shown
            notices.append(
                "\(place): indexes and metadata are hidden, --only shows them: \(names)"
                    + (rest > 0 ? " and \(rest) more" : "")
            )
        }
        self.lists = lists
        self.notices = notices
        guard !mayBeEmpty else { return }
        for case (let name, .unknownKey(let column, let columns)) in refusals.map({
            ($0.name, $0.reason)
        }) {
            let near = Suggestion.nearest(to: column, among: columns)
            let hint =
                near.map { "did you mean '\($0)'?" } ?? "it has " + columns.joined(separator: ", ")
            throw Failure(.usage, "--key: '\(name)' has no column '\(column)'; \(hint)")
        }
        if let table = source.table, selected.choices.isEmpty {
            let hint = Suggestion.hint(for: table, among: selected.names)
            throw Failure(.usage, "\(place): there is no table or view '\(table)'\(hint)")
        }
        // Names of settings are checked after all databases are open.
        let isUnselected = selected.choices.isEmpty && !selected.names.isEmpty
        let count = lists.count + others
        guard count > 0 || isUnselected else {
            let reasons = notices.map { "; " + $0 }.joined()
            throw Failure(.badData, "\(place): holds no table that makes a list\(reasons)")
        }
        if let name = source.name, source.table == nil {
            let table = lists.count == 1 && count == 1 ? lists[0].name : "TABLE"
            throw Failure(
                .usage,
                "\(name)=\(place): a name is given to a list and not to a database, whose lists "
                    + "are named after its tables; \(name)=\(place)#\(table) names one"
            )
        }
    }
}

extension TableSelection {
    func of(_ source: SourceArgument) -> TableSelection {
        var selection = self
        (selection.table, selection.name) = (source.table, source.name)
        return selection
    }

    /// Returns an error for a name in a setting that no source has.
    ///
    /// - Parameters:
    ///   - used: The names that some source has.
    ///   - names: All names of tables and of lists.
    /// - Returns: The error; nil if every name is known.
    func failure(used: Set<String>, names: [String]) -> Failure? {
        let settings = [
            ("--only", only?.sorted() ?? []), ("--hide", hidden.sorted()),
            ("--key", keys.keys.sorted()),
        ]
        for (flag, words) in settings {
            guard let word = words.first(where: { !used.contains($0) }) else { continue }
            let hint = Suggestion.hint(for: word, among: names)
            return Failure(.usage, "\(flag): no source has a list or table '\(word)'\(hint)")
        }
        return nil
    }
}

extension TableRefusal {
    /// The notice for the operator.
    var text: String { "'\(name)' \(reason.text) and is not served" }
}

extension TableRefusal.Reason {
    /// The reason, after the name of the table.
    fileprivate var text: String {
        switch self {
        case .viewWithoutID: "is a view whose first column is no id"
        case .ambiguousKey(let column): "has equal or missing values under '\(column)'"
        case .unsuitableKey(let column): "has keys under '\(column)' that no id can show"
        case .noKey: "has no unique key"
        case .unknownKey(let column, _): "has no column '\(column)' for its key"
        case .unreadable(let message): "cannot be read: \(message)"
        }
    }

    /// The notice about a list whose rows are numbered for this reason.
    fileprivate func numbering(of list: ExternalList) -> String {
        "'\(list.name)' \(text): its rows are numbered by position and can only be read; "
            + "--key \(list.name)=COLUMN[,COLUMN] names a key"
    }
}
