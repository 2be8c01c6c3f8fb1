import Database
import ListAPI
import Listings
import Locks
import Postgres
import SQLite

/// The lists of a database, described again whenever its schema changes.
struct DatabaseLists: ChangingLists {
    /// A list with its description.
    struct Described: Sendable {
        let definition: ListDefinition
        /// The fingerprint of the description; another one means that the list has to be reopened.
        let fingerprint: String
        /// The schema version of the description; nil for an imported list.
        ///
        /// Sessions compare it with the version of the database.
        let mark: SharedNumber?
    }
    /// The result of an inspection of a database.
    private struct Findings {
        var lists: [Described] = []
        var notices: [String]
        var used: Set<GroupArgument> = []
        let selected: SelectedTables
        let schema: UInt64
        var database: PostgresDatabase?
    }

    private let source: SourceArgument
    private let configuration: Configuration
    private let database: PostgresDatabase?
    private var schema: UInt64
    /// The maximum number of instructions for describing a table of SQLite.
    private var steps = ExternalTable.stepsOfLook
    /// The lists, by name.
    private(set) var lists: [Described]
    /// The notices about them for the operator.
    private(set) var notices: [String]
    /// The groupings of the command line that apply to them.
    private(set) var usedGroupings: Set<GroupArgument>
    /// The selection of the tables at the start.
    let selected: SelectedTables

    /// The current definitions.
    var definitions: [ListDefinition] { lists.map(\.definition) }

    /// Opens a database.
    ///
    /// - Throws: ``Failure`` when it cannot be read, or holds no list.
    init(_ source: SourceArgument, _ configuration: Configuration) throws(Failure) {
        self.source = source
        self.configuration = configuration
        let found =
            try source.postgres == nil
            ? Self.look(at: source, configuration, mayBeEmpty: false)
            : Self.look(at: source, configuration, known: nil)
        (database, schema, selected) = (found.database, found.schema, found.selected)
        (lists, notices, usedGroupings) = (found.lists, found.notices, found.used)
    }

    /// Describes the lists again if the schema has changed, or data do not fit a description.
    ///
    /// - Parameters:
    ///   - taken: The names of lists of other sources.
    ///   - isForced: Whether the lists are described again in any case.
    /// - Returns: The changes.
    /// - Throws: ``Failure`` when the database cannot be read now; the lists are then unchanged.
    mutating func refresh(
        besides taken: Set<String>,
        isForced: Bool
    ) throws(Failure) -> ListChanges {
        let marks = lists.compactMap { $0.mark?.value }
        // The keys of a large view take longer to check.
        if marks.contains(FileSession.refuted) { steps = ExternalTable.stepsOfLook * 100 }
        if !isForced, !marks.contains(where: { $0 >= FileSession.refuted }) {
            guard try schemaNow() != schema else { return ListChanges() }
        }
        var found =
            if let database {
                try Self.look(at: source, configuration, known: database)
            } else {
                try Self.look(at: source, configuration, mayBeEmpty: true, steps)
            }
        schema = found.schema
        var messages = Set(found.notices).subtracting(notices).sorted()
        for name in found.lists.map(\.definition.name) where taken.contains(name) {
            messages.append("table '\(name)' is not served: there is another list of that name")
        }
        found.lists.removeAll { taken.contains($0.definition.name) }
        for argument in usedGroupings.subtracting(found.used) {
            messages.append("--group-by: no list makes sections of '\(argument.column)' any more")
        }
        var others: Set<String> = []
        let fresh = found.lists.map { list in
            let name = list.definition.name
            let columns = list.definition.source.schema.columns.map(\.id).joined(separator: ", ")
            guard let old = lists.first(where: { $0.definition.name == name }) else {
                others.insert(name)
                messages.append("list '\(name)' is new, with \(columns)")
                return list
            }
            guard old.fingerprint == list.fingerprint else {
                others.insert(name)
                messages.append("list '\(name)' is another than before, with \(columns)")
                return list
            }
            if let mark = list.mark { old.mark?.value = mark.value }
            return old
        }
        let gone = Set(lists.map { $0.definition.name })
            .subtracting(fresh.map { $0.definition.name })
        for name in gone.sorted() { messages.append("list '\(name)' is gone") }
        (lists, notices, usedGroupings) = (fresh, found.notices, found.used)
        return ListChanges(
            others: others,
            gone: gone,
            messages: messages.map { "\(source.shown): \($0)" }
        )
    }

    private func schemaNow() throws(Failure) -> UInt64 {
        if let database {
            do { return try PostgresCatalog.schema(of: database) } catch {
                throw Failure(.unavailable, "\(source.shown): \(error.reason)")
            }
        }
        do { return try ForeignCatalog.schema(of: .file(source.path)) } catch {
            throw Failure(error, path: source.path, access: .readOnly)
        }
    }

    private static func look(
        at source: SourceArgument,
        _ configuration: Configuration,
        mayBeEmpty: Bool,
        _ steps: Int = ExternalTable.stepsOfLook
    ) throws(Failure) -> Findings {
        let contents =
            try DatabaseContents(source, configuration.tables, mayBeEmpty: mayBeEmpty, steps)
        var found = Findings(
            notices: contents.notices,
            selected: contents.selected,
            schema: contents.schema
        )
        for stored in contents.stored {
            let list = stored.list
            let shape = ListPresentation(list, groupings: configuration.groupings)
            found.used.formUnion(shape.usedGroupings)
            if let notice = shape.notice { found.notices.append(notice) }
            let described = configuration.description(of: stored.name)
            let own = try shape.definition(
                at: contents.location,
                keeper: nil,
                gate: nil,
                described: described
            )
            found.lists.append(
                Described(
                    definition: ListDefinition(stored.name, source: own.source)
                        .described(by: described),
                    fingerprint: "\(list.idType) \(list.columns) \(shape.usedGroupings)",
                    mark: nil
                )
            )
        }
        for list in contents.foreign {
            let columns = list.columns.shown
            let wish = GroupingOption(list: list.name, columns: columns, configuration.groupings)
            found.used.formUnion(wish.used)
            let mark = SharedNumber(contents.schema)
            let relations = contents.relations.filter { $0.list == list.name }
            var definition = try contents.definition(
                of: list,
                columns: columns,
                grouping: wish.grouping,
                mark: mark,
                described: configuration.description(of: list.name)
            )
            definition.relations = relations
            found.lists.append(
                Described(
                    definition: definition,
                    fingerprint: "\(list.table) \(columns) \(wish.used) \(relations)",
                    mark: mark
                )
            )
        }
        return found
    }

    private static func look(
        at source: SourceArgument,
        _ configuration: Configuration,
        known: PostgresDatabase?
    ) throws(Failure) -> Findings {
        let contents = try PostgresContents(source, configuration, known: known)
        var found = Findings(
            notices: contents.notices,
            selected: contents.selected,
            schema: contents.schema
        )
        found.database = contents.database
        for list in contents.lists {
            let shape = PostgresShape(
                list,
                groupings: configuration.groupings,
                described: configuration.description(of: list.name)
            )
            found.used.formUnion(shape.usedGroupings)
            let mark = SharedNumber(contents.schemas[list.name] ?? 0)
            let facts = contents.facts[list.name].map { "\($0)" } ?? ""
            let relations = contents.relations.filter { $0.list == list.name }
            var definition = try shape.definition(in: contents, mark: mark)
            definition.relations = relations
            found.lists.append(
                Described(
                    definition: definition,
                    fingerprint: "\(list.table) \(list.columns) \(shape.usedGroupings) \(facts) "
                        + "\(relations)",
                    mark: mark
                )
            )
        }
        return found
    }
}
