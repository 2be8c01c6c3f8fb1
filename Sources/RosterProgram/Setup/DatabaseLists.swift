import Database
import ListAPI
import Listings
import Locks
import Postgres
import SQLite

/// The lists of a database, described again whenever its schema changes.
struct DatabaseLists: ChangingLists {
    struct Described: Sendable {
        let definition: ListDefinition
        /// The fingerprint of the description; another one means that the list has to be reopened.
        let fingerprint: String
        /// The schema version of the description; nil for an imported list.
        ///
        /// Sessions compare it with the version of the database.
        let mark: SharedNumber?
    }
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
    /// The queue of the writers of a SQLite file; nil if clients may not write.
    private let gate: WriterQueue?
    private let readers: DatabaseReaders
    private var schema: UInt64
    /// The maximum number of instructions for describing a table of SQLite.
    private var steps = ExternalTable.stepsOfInspection
    private(set) var lists: [Described]
    private(set) var notices: [String]
    private(set) var usedGroupings: Set<GroupArgument>
    let selected: SelectedTables

    var definitions: [ListDefinition] { lists.map(\.definition) }
    var failures: [FailedSource] { [] }

    init(_ source: SourceArgument, _ configuration: Configuration) throws(Failure) {
        self.source = source
        self.configuration = configuration
        let gate = WriterQueue(longestWait: configuration.limits.writeWait)
        self.gate = configuration.writing.isAllowed ? gate : nil
        readers = DatabaseReaders(.file(source.path))
        let found =
            try source.postgres == nil
            ? Self.inspect(
                at: source,
                configuration,
                mayBeEmpty: false,
                through: self.gate,
                readers
            )
            : Self.inspect(at: source, configuration, known: nil)
        (database, schema, selected) = (found.database, found.schema, found.selected)
        (lists, notices, usedGroupings) = (found.lists, found.notices, found.used)
    }

    /// Describes the lists again if the schema has changed, or data do not fit a description.
    ///
    /// - Returns: The changes.
    /// - Throws: ``Failure`` when the database cannot be read now; the lists are then unchanged.
    mutating func refresh(
        besides taken: Set<String>,
        isForced: Bool
    ) throws(Failure) -> ListChanges {
        let marks = lists.compactMap { $0.mark?.value }
        // The keys of a large view take longer to check.
        if marks.contains(FileSession.refuted) { steps = ExternalTable.stepsOfInspection * 100 }
        if !isForced, !marks.contains(where: { $0 >= FileSession.refuted }) {
            guard try schemaNow() != schema else { return ListChanges() }
        }
        var found =
            if let database {
                try Self.inspect(at: source, configuration, known: database)
            } else {
                try Self.inspect(
                    at: source,
                    configuration,
                    mayBeEmpty: true,
                    through: gate,
                    readers,
                    steps
                )
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

    private static func inspect(
        at source: SourceArgument,
        _ configuration: Configuration,
        mayBeEmpty: Bool,
        through gate: WriterQueue?,
        _ readers: DatabaseReaders,
        _ steps: Int = ExternalTable.stepsOfInspection
    ) throws(Failure) -> Findings {
        let contents = try DatabaseContents(
            source,
            configuration.tables,
            mayBeEmpty: mayBeEmpty,
            through: gate,
            readers,
            steps
        )
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
            let store = gate.map {
                ListStore.ImportTarget(
                    readers: contents.readers,
                    keeper: nil,
                    folder: nil,
                    gate: $0,
                    isOnlyImported: false,
                    maximumSavedBytes: nil
                )
            }
            let own = try shape.definition(
                through: contents.readers,
                in: store,
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
            let form = ListForm(
                list.name,
                list.columns,
                idType: list.table.idType,
                users: nil,
                groupings: configuration.groupings
            )
            found.used.formUnion(form.usedGroupings)
            let mark = SharedNumber(contents.schema)
            let relations = contents.relations.filter { $0.list == list.name }
            var definition = try contents.definition(
                of: list,
                form,
                mark: mark,
                described: configuration.description(of: list.name)
            )
            definition.relations = relations
            found.lists.append(
                Described(
                    definition: definition,
                    fingerprint: "\(list.table) \(form.columns) \(form.usedGroupings) "
                        + "\(relations) \(contents.catalog.rules(of: list.name))",
                    mark: mark
                )
            )
        }
        return found
    }

    private static func inspect(
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
            let form = ListForm(
                list.name,
                list.columns,
                idType: list.table.idType,
                groupings: configuration.groupings
            )
            found.used.formUnion(form.usedGroupings)
            let mark = SharedNumber(contents.schemas[list.name] ?? 0)
            let facts = contents.facts[list.name].map { "\($0)" } ?? ""
            let relations = contents.relations.filter { $0.list == list.name }
            var definition = try contents.definition(
                of: list,
                form,
                mark: mark,
                described: configuration.description(of: list.name)
            )
            definition.relations = relations
            found.lists.append(
                Described(
                    definition: definition,
                    fingerprint: "\(list.table) \(list.columns) \(form.usedGroupings) \(facts) "
                        + "\(relations)",
                    mark: mark
                )
            )
        }
        return found
    }
}
