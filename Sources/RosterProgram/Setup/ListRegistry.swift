import Database
package import ListAPI
package import Listings
import Locks
import MemoryLists
import Remote
import SQLite
import System

/// The lists of the service, made from the sources of the command line.
package struct ListRegistry {
    /// The lists, in the order of the command line.
    package private(set) var lists: [ListDefinition] = []
    /// The notices about them for the operator.
    private(set) var notices: [String] = []
    /// The board of the lists, if their definitions may change.
    private(set) var board: ServedLists?
    private(set) var watcher: FileWatcher?
    /// The builder of indexes that were missing at the start.
    private(set) var indexBuilder: IndexBuilder?
    /// The row controllers of the lists.
    private(set) var controllers: [RegistrationSummary] = []
    /// The files that are imported again when they change, and the database of their lists.
    private var units: [WatchedFiles.Unit] = []
    private var place: ListStore.Place?
    private let groupings: [GroupArgument]
    private let descriptions: [DescribedList]
    private var usedGroupings: Set<GroupArgument> = []

    /// Opens every source, and imports those that need it.
    ///
    /// - Throws: ``Failure`` for the first source that cannot be served.
    package init(_ configuration: Configuration) throws(Failure) {
        groupings = configuration.groupings
        descriptions = configuration.descriptions
        let configuration = try configuration.withoutUnneededFiles(&notices)
        let sources = try ResolvedSources(configuration)
        var failures = sources.failures
        notices += sources.notices
        // The number of sources that are served.
        var served = 0
        if configuration.sources.isEmpty, configuration.database == nil {
            _ = try SourceFields(configuration)
            try addSamples(areWritable: configuration.writing.isAllowed)
        } else {
            try addStored(configuration, sources, &failures, &served)
        }
        sources.documents.clear()
        let watched = Set(units.flatMap { $0.lists.map(\.name) })
        let fixed = lists.filter { !watched.contains($0.name) }
        var databases: [DatabaseLists] = []
        for source in sources.databases {
            let database: DatabaseLists
            do throws(Failure) { database = try DatabaseLists(source, configuration) } catch {
                try failures.add(error)
                continue
            }
            served += 1
            databases.append(database)
            notices += database.notices
            usedGroupings.formUnion(database.usedGroupings)
            for list in database.lists { try add(list.definition) }
        }
        let selected = databases.map(\.selected)
        let names = selected.flatMap(\.names) + sources.names.sorted()
        for described in descriptions where described.isHidden {
            let name = described.name
            guard !names.contains(name.value), failures.notices.isEmpty else { continue }
            let hint = Suggestion.hint(for: name.value, among: names)
            throw Failure(.configuration, "\(name.place): no list '\(name.value)'\(hint)")
        }
        let failure = configuration.tables.failure(
            used: selected.reduce(into: sources.names) { $0.formUnion($1.used) },
            names: names
        )
        if let failure { throw failure }
        board = serveChanges(of: databases, besides: fixed, sources.folders, configuration)
        try failures.check(isSourceLeft: served > 0)
        guard !lists.isEmpty else { throw Failure(.badData, "there is no list to serve") }
        notices += failures.notices
        if let refusal = configuration.imports.refusal(of: [], besides: lists.map(\.name)) {
            throw refusal
        }
        try DescribedList.check(descriptions, lists, isComplete: failures.notices.isEmpty)
        try check()
    }

    private mutating func addSamples(areWritable: Bool) throws(Failure) {
        if areWritable {
            let store = try ListStore(path: nil)
            try store.importText(SampleUsers.csv, as: "users")
            for list in try store.lists(first: []) { try add(list, in: store) }
            notices.append("no source is named; these are sample users, see roster --help")
            return
        }
        do {
            try add(try SampleList.make())
            notices.append("no source is named; these are sample users, see roster --help")
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.software, "the sample users cannot be read: \(error)")
        }
    }

    /// Imports the files, fetches the remote lists, and then serves all lists of the database.
    ///
    /// The named lists come first, in their order.
    private mutating func addStored(
        _ configuration: Configuration,
        _ sources: ResolvedSources,
        _ failures: inout SourceFailures,
        _ served: inout Int
    ) throws(Failure) {
        var named: [String] = []
        var remote: [String: ListDefinition] = [:]
        let fields = try SourceFields(configuration)
        var store: ListStore?
        if configuration.database != nil || !sources.files.isEmpty {
            store = try ListStore(
                path: configuration.database,
                writeWait: configuration.limits.writeWait
            )
        }
        var files: [String: FileSource] = [:]
        for (number, entry) in sources.entries.enumerated() {
            switch entry {
            case .remote(_, let address, let name):
                let fields = fields.fields(of: name)
                remote[name] = try remoteList(name, at: address, fields, configuration)
            case .file(let list, let file):
                guard let store else { continue }
                let name = list.name
                let groupings = groupings
                let isLast = number + 1 == sources.entries.count
                let others = try isLast ? store.lists(first: []).filter { $0.name != name } : nil
                let used = usedGroupings
                let imports = configuration.imports
                let further = sources.entries.map(\.name)
                do throws(Failure) {
                    notices += try store.importTable(
                        list.table,
                        as: name,
                        path: file.path,
                        groupings: groupings,
                        defersIndexes: file.path != "-"
                    ) { list in
                        Self.refusal(of: list, groupings, used, others: others)
                            ?? others.flatMap { imports.refusal(of: [list] + $0, besides: further) }
                    }
                } catch {
                    try failures.add(error)
                    continue
                }
                files[name] = file
            }
            served += 1
            named.append(entry.name)
        }
        units = sources.files.filter { $0.path != "-" }.map { WatchedFiles.Unit(source: $0) }
        try addStored(in: store, named, remote, files)
    }

    private mutating func addStored(
        in store: ListStore?,
        _ named: [String],
        _ remote: [String: ListDefinition],
        _ files: [String: FileSource]
    ) throws(Failure) {
        let deferred = files.filter { $0.value.path != "-" }.keys
        try store?.renewIndexes(groupings, besides: Set(deferred))
        place = store?.place
        var stored = try store?.lists(first: named.filter { remote[$0] == nil }) ?? []
        for name in named {
            if let list = remote[name] {
                try add(list)
            } else if let store, !stored.isEmpty {
                let list = stored.removeFirst()
                if let unit = units.firstIndex(where: { $0.source == files[name] }) {
                    units[unit].lists.append(try watched(list, in: store))
                } else {
                    try add(list, in: store)
                }
            }
        }
        guard let store else { return }
        for list in stored { try add(list, in: store) }
    }

    /// Returns the list of a file that is imported again when it changes.
    private mutating func watched(
        _ list: ListMetadata,
        in store: ListStore
    ) throws(Failure) -> WatchedFiles.File {
        let (staleness, seconds) = (SharedNumber(0), SharedNumber(0))
        let definition = try definition(
            of: list,
            in: store,
            staleness: staleness,
            secondsToIndexes: seconds
        )
        try add(definition)
        return WatchedFiles.File(list, definition, staleness, seconds)
    }

    /// Creates the board of the lists and begins to watch files; nil if no list may change.
    private mutating func serveChanges(
        of databases: [DatabaseLists],
        besides fixed: [ListDefinition],
        _ folders: [String],
        _ configuration: Configuration
    ) -> ServedLists? {
        guard let place, !units.isEmpty else {
            return databases.isEmpty ? nil : ServedLists(fixed, databases)
        }
        let changed = Locked<Set<String>>([])
        let files = WatchedFiles(
            units,
            folders: folders,
            in: place,
            configuration,
            changed: changed
        )
        let board = ServedLists(fixed, [files] + databases, order: lists.map(\.name))
        let paths = units.map(\.source.path) + folders.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
        do {
            watcher = try FileWatcher(Set(paths)) { paths in
                changed.withLock { $0.formUnion(paths) }
                board.refresh()
            }
        } catch {
            notices.append(
                "changes of files are not noticed: \(error.call): \(error.reason); SIGHUP reads them"
            )
        }
        indexBuilder = IndexBuilder(units, in: place, groupings: groupings) { path in
            _ = changed.withLock { $0.insert(path) }
            board.refresh()
        }
        return board
    }

    /// Adds a list of the database of imported files.
    private mutating func add(_ list: ListMetadata, in store: ListStore) throws(Failure) {
        try add(try definition(of: list, in: store, staleness: nil))
    }

    /// Returns the definition of a stored list, and notes what its presentation uses.
    private mutating func definition(
        of list: ListMetadata,
        in store: ListStore,
        staleness: SharedNumber?,
        secondsToIndexes: SharedNumber? = nil
    ) throws(Failure) -> ListDefinition {
        let presentation = ListPresentation(list, groupings: groupings)
        try store.addIndex(for: presentation)
        usedGroupings.formUnion(presentation.usedGroupings)
        if let notice = presentation.notice { notices.append(notice) }
        return try store.place.definition(
            of: presentation,
            staleness: staleness,
            secondsToIndexes: secondsToIndexes,
            described: descriptions.first { $0.name.value == list.name }
        )
    }

    private mutating func add(_ list: ListDefinition) throws(Failure) {
        guard !lists.contains(where: { $0.name == list.name }) else {
            throw Failure(.repeatedList(list.name))
        }
        lists.append(list)
        controllers.append(Self.controller(of: list))
    }

    /// Returns the row controller of a list: that of users in memory, or that of records.
    private static func controller(of list: ListDefinition) -> RegistrationSummary {
        let columns = list.source.schema.columns
        switch list.source {
        case is MemorySource<User>, is RemoteList<User>:
            return RegistrationSummary(
                model: "User",
                controller: "UserController",
                kinds: [UserController().kind],
                columns: columns
            )
        default:
            return RegistrationSummary(
                model: "Record",
                controller: "RecordController",
                kinds: [
                    (list.source as? TableSource)?.kind
                        ?? RecordController(list: list.name, columns: []).kind
                ],
                columns: columns
            )
        }
    }

    private mutating func remoteList(
        _ name: String,
        at address: RemoteAddress,
        _ fields: [RemoteField],
        _ configuration: Configuration
    ) throws(Failure) -> ListDefinition {
        let setup = try RemoteSetup(name, at: address, sending: fields, configuration)
        usedGroupings.formUnion(setup.usedGroupings)
        notices += setup.notices
        return setup.definition
    }

    private func check() throws(Failure) {
        guard let unused = groupings.first(where: { !usedGroupings.contains($0) }) else { return }
        throw Self.failure(unused, lists.map { ($0.name, $0.source.schema.columns) })
    }

    /// Returns why a file must not be imported: the command line has a grouping of no list.
    ///
    /// - Parameters:
    ///   - list: The list of the file.
    ///   - groupings: The groupings of the command line.
    ///   - used: The groupings that apply to other lists.
    ///   - others: The other lists; nil while others may follow.
    /// - Returns: The reason; nil where there is none.
    private static func refusal(
        of list: ListMetadata,
        _ groupings: [GroupArgument],
        _ used: Set<GroupArgument>,
        others: [ListMetadata]?
    ) -> Failure? {
        let lists = [list] + (others ?? [])
        let taken = used.union(
            lists.flatMap { ListPresentation($0, groupings: groupings).usedGroupings }
        )
        let unused = groupings.first { argument in
            !taken.contains(argument) && (argument.list == list.name || others != nil)
        }
        return unused.map { failure($0, lists.map { ($0.name, $0.columns) }) }
    }

    private static func failure(
        _ unused: GroupArgument,
        _ lists: [(name: String, columns: [Column])]
    ) -> Failure {
        if let list = unused.list, !lists.contains(where: { $0.name == list }) {
            let hint = Suggestion.hint(for: list, among: lists.map(\.name))
            return Failure(.usage, "--group-by: no list '\(list)'\(hint)")
        }
        let columns = lists.map { "\($0.name) has " + $0.columns.map(\.id).joined(separator: ", ") }
        return Failure(
            .usage,
            "--group-by: no list makes sections of '\(unused.column)'; "
                + columns.joined(separator: "; ")
        )
    }
}
