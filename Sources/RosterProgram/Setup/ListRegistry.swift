import Database
package import ListAPI
package import Listings
import Locks
import MemoryLists
import RemoteLists
import SQLite
import System

package struct ListRegistry {
    private(set) var contents = ServiceContents()
    private var units: [WatchedFiles.Unit] = []
    private var importTarget: ListStore.ImportTarget?
    private var savers: [String: FileSaver] = [:]
    private let groupings: [GroupArgument]
    private let descriptions: [DescribedList]
    private var usedGroupings: Set<GroupArgument> = []

    package var lists: [ListDefinition] { contents.lists }

    package init(_ configuration: Configuration) throws(Failure) {
        groupings = configuration.groupings
        descriptions = configuration.descriptions
        let configuration = try configuration.withoutUnneededFiles(&contents.notices)
        let sources = try ResolvedSources(configuration)
        var failures = sources.failures
        contents.notices += sources.notices
        let states = FileStates(sources.watched)
        // The number of sources that are served.
        var served = 0
        if configuration.sources.isEmpty, configuration.database == nil {
            _ = try SourceFields(configuration)
            try addSamples(areWritable: configuration.writing.isAllowed)
        } else {
            try addStored(configuration, sources, states, &failures, &served)
        }
        sources.documents.clear()
        try contents.addHistory(
            configuration,
            isWritable: configuration.writing.isAllowed
        )
        let watched = Set(units.flatMap { $0.lists.map(\.name) })
        let fixed = lists.filter { !watched.contains($0.name) }
        var databases: [DatabaseLists] = []
        for source in sources.databases {
            let database: DatabaseLists
            do throws(Failure) { database = try DatabaseLists(source, configuration) } catch {
                try failures.add(error, of: source.path)
                continue
            }
            served += 1
            databases.append(database)
            contents.notices += database.notices
            usedGroupings.formUnion(database.usedGroupings)
            for list in database.lists { try add(list.definition) }
        }
        let selected = databases.map(\.selected)
        let names = selected.flatMap(\.names) + sources.names.sorted()
        for described in descriptions where described.isHidden {
            let name = described.name
            guard !names.contains(name.value), failures.notices.isEmpty else { continue }
            let hint = Suggestion.hint(for: name.value, among: names)
            throw Failure(.configuration, "\(name.location): no list '\(name.value)'\(hint)")
        }
        let failure = configuration.tables.failure(
            used: selected.reduce(into: sources.names) { $0.formUnion($1.used) },
            names: names
        )
        if let failure { throw failure }
        contents.servedLists = serveChanges(
            of: databases,
            besides: fixed,
            sources.folders,
            states,
            failures,
            configuration
        )
        try failures.check(isSourceLeft: served > 0)
        guard lists.contains(where: { !$0.isHistory }) || contents.creation != nil else {
            throw Failure(.badData, "there is no list to serve")
        }
        contents.notices += failures.notices
        if let refusal = configuration.imports.refusal(of: [], besides: lists.map(\.name)) {
            throw refusal
        }
        try DescribedList.check(descriptions, lists, isComplete: failures.notices.isEmpty)
        try check()
    }

    /// Returns the folder of a database that is too large for memory.
    private mutating func temporaryFolder(
        _ configuration: Configuration,
        _ sources: ResolvedSources,
        _ states: FileStates
    ) throws(Failure) -> TemporaryFolder? {
        guard (configuration.database ?? Configuration.memory) == Configuration.memory else {
            return nil
        }
        let bytes = sources.bytes(states)
        guard bytes > configuration.memoryLimit << 20 else { return nil }
        let parent = configuration.temporaryFolder
        do throws(SystemError) {
            let folder = try TemporaryFolder(in: parent, name: "roster-lists")
            contents.notices.append(
                "the lists of \(bytes >> 20) MiB are in a file in \(parent) until the server stops; "
                    + "--database FILE keeps them"
            )
            return folder
        } catch {
            throw Failure(
                .cannotCreate,
                "\(parent): \(error.reason); TMPDIR names another folder for the lists of "
                    + "\(bytes >> 20) MiB, and --database FILE a file that stays"
            )
        }
    }

    private mutating func addSamples(areWritable: Bool) throws(Failure) {
        contents.notices.append("no source is named; these are sample users, see roster --help")
        if areWritable {
            let store = try ListStore(path: nil)
            try store.importText(SampleUsers.csv, as: "users")
            for list in try store.lists(first: []) { try add(list, in: store) }
            return
        }
        do {
            try add(try SampleList.make())
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.software, "the sample users cannot be read: \(error)")
        }
    }

    private mutating func addStored(
        _ configuration: Configuration,
        _ sources: ResolvedSources,
        _ states: FileStates,
        _ failures: inout SourceFailures,
        _ served: inout Int
    ) throws(Failure) {
        var named: [String] = []
        var remote: [String: ListDefinition] = [:]
        let fields = try SourceFields(configuration)
        var store: ListStore?
        if configuration.database != nil || !sources.files.isEmpty {
            contents.temporaryFolder = try temporaryFolder(configuration, sources, states)
            store = try ListStore(
                path: configuration.database,
                in: contents.temporaryFolder,
                writeWait: configuration.limits.writeWait,
                // An explanation shows the indexes of a list of many rows.
                isWritten: configuration.writing.isAllowed || configuration.command == .explain,
                maximumSavedBytes: configuration.maximumSavedBytes
            )
        }
        var files: [String: FileSource] = [:]
        for (number, entry) in sources.entries.enumerated() {
            switch entry {
            case .remote(_, let address, let name):
                let fields = fields.fields(of: name)
                remote[name] = try remoteList(name, at: address, fields, configuration)
                if configuration.writing.isAllowed {
                    contents.notices.append("\(name): its rows are those of a service; read-only")
                }
            case .file(let list, let file):
                guard let store else { continue }
                let name = list.name
                let groupings = groupings
                let isLast = number + 1 == sources.entries.count
                let others = try isLast ? store.lists(first: []).filter { $0.name != name } : nil
                let used = usedGroupings
                let imports = configuration.imports
                let further = sources.entries.map(\.name)
                var refusal: Failure?
                var saver = store.importTarget.saver(of: list, file.path, groupings: groupings)
                let isInFolder = sources.holds(file)
                if !isInFolder {
                    try Self.checkSaving(of: file) { () throws(WriteError) in try saver?.check() }
                }
                do throws(ImportError) {
                    let outcome = try store.importTable(
                        list.table,
                        as: name,
                        groupings: groupings,
                        defersIndexes: file.path != "-"
                    ) { list in
                        refusal =
                            Self.refusal(of: list, groupings, used, others: others)
                            ?? others.flatMap { imports.refusal(of: [list] + $0, besides: further) }
                        return refusal == nil
                    }
                    contents.notices += outcome.notices(on: file.path)
                } catch {
                    let failure = store.importTarget.failure(error, of: file.path)
                    try failures.add(refusal ?? failure, of: file.path)
                    continue
                }
                do throws(Failure) {
                    try Self.checkSaving(of: file) { () throws(WriteError) in try saver?.prepare() }
                } catch {
                    // Others may put any file into a folder, which must not end the next start.
                    guard isInFolder else { throw error }
                    contents.notices.append("\(error.text); the list '\(name)' is read-only")
                    saver = nil
                }
                savers[name] = saver
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
        try store?.createIndexes(groupings, besides: Set(deferred))
        importTarget = store?.importTarget
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

    /// Edits that would be lost are refused at the start.
    private static func checkSaving(
        of file: FileSource,
        _ body: () throws(WriteError) -> Void
    ) throws(Failure) {
        do throws(WriteError) { try body() } catch { throw .unsaved(file.path, error) }
    }

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
        return WatchedFiles.File(list, definition, staleness, seconds, savers[list.name])
    }

    /// Creates the board of the lists and begins to watch files; nil if no list may change.
    private mutating func serveChanges(
        of databases: [DatabaseLists],
        besides fixed: [ListDefinition],
        _ folders: [String],
        _ states: FileStates,
        _ failures: SourceFailures,
        _ configuration: Configuration
    ) -> ServedLists? {
        for index in units.indices {
            units[index].failure = failures.source(at: units[index].source.path)
        }
        let others = failures.sources(besides: Set(units.map(\.source.path)))
        var changing: [any ChangingLists] = databases
        let changed = Locked<[String: FileChange]>([:])
        let made = Locked<[ListDefinition]>([])
        if let importTarget, !units.isEmpty {
            let files = WatchedFiles(
                units,
                folders: folders,
                in: importTarget,
                configuration,
                changed: changed
            )
            changing.insert(files, at: 0)
        }
        let isCreating = ListCreator.isPossible(configuration, folders)
        if isCreating { changing.append(CreatedLists(made)) }
        guard !changing.isEmpty || !others.isEmpty else { return nil }
        let order = units.isEmpty ? [] : lists.map(\.name)
        let servedLists = ServedLists(fixed, changing, order: order, failures: others)
        guard let importTarget else { return servedLists }
        if isCreating {
            contents.creation = ListCreator(
                in: importTarget,
                configuration,
                folder: configuration.database == nil ? folders.first : nil,
                made: made,
                changed: changed,
                servedLists
            )
        }
        guard !units.isEmpty else { return servedLists }
        do {
            contents.watcher = try FileWatcher(states) { changes in
                changed.withLock { $0.merge(changes) { $1 } }
                servedLists.refresh()
            }
        } catch {
            contents.notices.append(
                "changes of files are not noticed: \(error.call): \(error.reason); SIGHUP reads them"
            )
        }
        contents.indexBuilder = IndexBuilder(units, in: importTarget, groupings: groupings) {
            path in
            changed.withLock { $0[path] = .complete }
            servedLists.refresh()
        }
        return servedLists
    }

    private mutating func add(_ list: ListMetadata, in store: ListStore) throws(Failure) {
        try add(try definition(of: list, in: store, staleness: nil))
    }

    private mutating func definition(
        of list: ListMetadata,
        in store: ListStore,
        staleness: SharedNumber?,
        secondsToIndexes: SharedNumber? = nil
    ) throws(Failure) -> ListDefinition {
        let presentation = ListPresentation(list, groupings: groupings)
        try store.addIndex(for: presentation, of: list)
        usedGroupings.formUnion(presentation.usedGroupings)
        if let notice = presentation.notice { contents.notices.append(notice) }
        return try presentation.definition(
            through: store.importTarget.readers,
            in: store.importTarget,
            savedBy: savers[list.name],
            staleness: staleness,
            secondsToIndexes: secondsToIndexes,
            described: descriptions.first { $0.name.value == list.name }
        )
    }

    private mutating func add(_ list: ListDefinition) throws(Failure) {
        guard !lists.contains(where: { $0.name == list.name }) else {
            throw .repeatedList(list.name)
        }
        contents.lists.append(list)
        contents.controllers.append(Self.controller(of: list))
    }

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
        contents.notices += setup.notices
        return setup.definition
    }

    private func check() throws(Failure) {
        guard let unused = groupings.first(where: { !usedGroupings.contains($0) }) else { return }
        throw Self.failure(unused, lists.map { ($0.name, $0.source.schema.columns) })
    }

    /// Returns why a file must not be imported: the command line has a grouping of no list.
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
