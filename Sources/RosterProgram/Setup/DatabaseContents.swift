import Database
import ListAPI
import Listings
import Locks
import SQLite

/// The lists of a SQLite file: its tables and views, and lists of earlier imports.
struct DatabaseContents {
    let readers: DatabaseReaders
    let stored: [ForeignCatalog.StoredList]
    let foreign: [ForeignCatalog.List]
    let checks: [String: DescriptionCheck]
    let catalog: ForeignCatalog
    /// The queue of the writers of the file; nil if clients may not write.
    private let gate: WriterQueue?
    let relations: [ListRelation]
    /// The notices about tables that are numbered, renamed, hidden or refused.
    let notices: [String]
    let selected: SelectedTables
    let schema: UInt64

    init(
        _ source: SourceArgument,
        _ selection: TableSelection,
        mayBeEmpty: Bool,
        through gate: WriterQueue?,
        _ readers: DatabaseReaders,
        _ steps: Int
    ) throws(Failure) {
        self.readers = readers
        self.gate = gate
        let catalog: ForeignCatalog
        do {
            catalog = try ForeignCatalog(
                readers.location,
                selection: selection.of(source),
                isWritten: gate != nil,
                steps: steps
            )
        } catch {
            throw Failure(error, path: source.path, access: .readOnly)
        }
        self.catalog = catalog
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
        if gate != nil {
            notices += tables.notices(of: catalog.unwritable, in: source)
        }
        self.notices = notices
    }

    func definition(
        of list: ForeignCatalog.List,
        _ form: ListForm,
        mark: SharedNumber,
        described: DescribedList?
    ) throws(Failure) -> ListDefinition {
        do {
            var table = list.table
            var schema = try form.schema()
            var info = catalog.writing[list.name]
            if gate != nil, let info { table = table.withDigests(info, list.columns) }
            if let described {
                let order = described.order(of: schema.columns)
                (table, info) = (table.choosing(order), info?.choosing(order))
                schema = described.applied(to: schema)
            }
            schema.keyColumns = table.keyColumns
            schema.basis = "\(list.table.key) \(schema.columns.map(\.type))"
            let source = TableSource(
                location: readers.location,
                table: table,
                schema: schema,
                registration: try form.registration(schema.columns),
                mark: mark,
                check: checks[list.name],
                readers: readers,
                writing: info.map { info in
                    TableWriting(
                        info.rules(
                            schema,
                            requiring: form.requiredColumns(in: schema),
                            keyColumns: table.keyColumns
                        ),
                        through: gate ?? WriterQueue(),
                        of: info
                    )
                }
            )
            var definition = ListDefinition(list.name, source: source).described(by: described)
            definition.about.readOnlyReason = catalog.unwritable[list.name]?.reason
            return definition
        } catch {
            throw Failure(.badData, "table '\(list.name)' cannot be shown: \(error)")
        }
    }
}

struct ForeignTables {
    let lists: [ExternalList]
    /// The reasons why others are not served, and the notices about those that are.
    let notices: [String]

    init(
        _ lists: [ExternalList],
        _ refusals: [TableRefusal],
        _ selected: SelectedTables,
        of source: SourceArgument,
        besides others: Int = 0,
        mayBeEmpty: Bool
    ) throws(Failure) {
        let location = source.shown
        var notices = refusals.map { "\(location): \($0.text)" }
        notices += lists.compactMap { list in
            list.numbered.map { "\(location): \($0.numbering(of: list))" }
        }
        notices += selected.renames.map { table, list in
            "\(location): table '\(table)' has a name no list can have and is served as '\(list)'"
        }
        if !selected.internals.isEmpty {
            let shown = 5
            let names = selected.internals.prefix(shown).map { "'\($0)'" }
                .joined(separator: ", ")
            let rest = selected.internals.count - shown
            notices.append(
                "\(location): indexes and metadata are hidden, --only shows them: \(names)"
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
            throw Failure(.usage, "\(location): there is no table or view '\(table)'\(hint)")
        }
        // Names of settings are checked after all databases are open.
        let isUnselected = selected.choices.isEmpty && !selected.names.isEmpty
        let count = lists.count + others
        guard count > 0 || isUnselected else {
            let reasons = notices.map { "; " + $0 }.joined()
            throw Failure(.badData, "\(location): holds no table that makes a list\(reasons)")
        }
        if let name = source.name, source.table == nil {
            let table = lists.count == 1 && count == 1 ? lists[0].name : "TABLE"
            throw Failure(
                .usage,
                "\(name)=\(location): a name is given to a list and not to a database, whose lists "
                    + "are named after its tables; \(name)=\(location)#\(table) names one"
            )
        }
    }
}

extension ForeignTables {
    /// The notices about lists that can only be read, unless others say it.
    func notices(
        of unwritable: [String: UnwritableReason],
        in source: SourceArgument
    ) -> [String] {
        lists.compactMap { list in
            guard list.numbered == nil, let reason = unwritable[list.name] else { return nil }
            return "\(source.shown): '\(list.name)' can only be read: \(reason.text)"
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

extension UnwritableReason {
    fileprivate var text: String {
        switch self {
        case .view: "it is a view, or a table whose rows are elsewhere"
        case .virtualTable: "it is a virtual table"
        case .internalTable: "it is an index of another table, or metadata"
        case .numberedRows: "its rows are numbered by position"
        case .openKey(let columns):
            "no unique index of columns that are never null keeps rows with an equal "
                + "\(columns.joined(separator: ", ")) out"
        case .noRight(let text): text
        case .refused(let message): "the database cannot compile a change: \(message)"
        }
    }

    var reason: ReadOnlyReason {
        switch self {
        case .view: .view
        case .virtualTable, .internalTable: .virtualTable
        case .numberedRows, .openKey: .noKey
        case .noRight: .noRight
        case .refused: .refusedByDatabase
        }
    }
}

extension TableRefusal {
    var text: String { "'\(name)' \(reason.text) and is not served" }
}

extension TableRefusal.Reason {
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

    fileprivate func numbering(of list: ExternalList) -> String {
        "'\(list.name)' \(text): its rows are numbered by position and can only be read; "
            + "--key \(list.name)=COLUMN[,COLUMN] names a key"
    }
}
