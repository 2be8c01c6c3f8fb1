import Database
package import ListAPI
package import Listings
import MemoryLists
import Remote
import SQLite

/// The lists of the service, made from the sources of the command line.
package struct ListRegistry {
    /// The lists, in the order of the command line.
    package private(set) var lists: [ListDefinition] = []
    /// The notices about them for the operator.
    private(set) var notices: [String] = []
    /// The board of the lists, if their definitions may change.
    private(set) var board: ServedLists?
    /// The row controllers of the lists.
    private(set) var controllers: [RegistrationSummary] = []
    private let groupings: [GroupArgument]
    private var usedGroupings: Set<GroupArgument> = []

    /// Opens every source, and imports those that need it.
    ///
    /// - Throws: ``Failure`` for the first source that cannot be served.
    package init(_ configuration: Configuration) throws(Failure) {
        groupings = configuration.groupings
        if configuration.sources.isEmpty, configuration.database == nil {
            _ = try SourceFields(configuration)
            try addSamples(areWritable: configuration.writing.isAllowed)
        } else {
            try addStored(configuration)
        }
        let fixed = lists
        var databases: [DatabaseLists] = []
        for source in configuration.sources where source.isDatabase {
            if source.postgres == nil { try Self.check(source) }
            let database = try DatabaseLists(source, configuration)
            databases.append(database)
            notices += database.notices
            usedGroupings.formUnion(database.usedGroupings)
            for list in database.lists { try add(list.definition) }
        }
        let selected = databases.map(\.selected)
        let failure = configuration.tables.failure(
            used: selected.reduce(into: []) { $0.formUnion($1.used) },
            names: selected.flatMap(\.names)
        )
        if let failure { throw failure }
        board = databases.isEmpty ? nil : ServedLists(fixed, databases)
        guard !lists.isEmpty else { throw Failure(.badData, "there is no list to serve") }
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
    private mutating func addStored(_ configuration: Configuration) throws(Failure) {
        var named: [String] = []
        var remote: [String: ListDefinition] = [:]
        let fields = try SourceFields(configuration)
        var store: ListStore?
        if configuration.database != nil || configuration.sources.contains(where: \.isFile) {
            store = try ListStore(path: configuration.database)
        }
        for (number, source) in configuration.sources.enumerated() where !source.isDatabase {
            if source.isFile { try Self.check(source) }
            let name = source.listName
            do {
                try SourceArgument.check(name)
            } catch {
                throw Failure(error)
            }
            guard !named.contains(name) else { throw Failure(.repeatedList(name)) }
            if let address = source.address {
                remote[name] = try remoteList(
                    name,
                    at: address,
                    fields.fields(of: name),
                    configuration
                )
            } else if let store {
                let groupings = groupings
                let isLast = number + 1 == configuration.sources.count
                let others = try isLast ? store.lists(first: []).filter { $0.name != name } : nil
                let used = usedGroupings
                let options = configuration.importOptions
                notices += try store.importFile(
                    at: source.path,
                    as: name,
                    options: options,
                    groupings: groupings
                ) { list in
                    Self.refusal(of: list, groupings, used, others: others)
                        ?? others.flatMap { options.refusal(of: [list] + $0) }
                }
            }
            named.append(name)
        }
        try addStored(in: store, named, remote)
    }

    private mutating func addStored(
        in store: ListStore?,
        _ named: [String],
        _ remote: [String: ListDefinition]
    ) throws(Failure) {
        try store?.renewIndexes(groupings)
        var stored = try store?.lists(first: named.filter { remote[$0] == nil }) ?? []
        for name in named {
            if let list = remote[name] {
                try add(list)
            } else if let store, !stored.isEmpty {
                try add(stored.removeFirst(), in: store)
            }
        }
        guard let store else { return }
        for list in stored { try add(list, in: store) }
    }

    /// Checks that the file exists and is no folder, before its name is checked.
    private static func check(_ source: SourceArgument) throws(Failure) {
        switch FileKind(atPath: source.path) {
        case .missing: throw Failure(ImportError.missing(path: source.path))
        case .directory: throw Failure(ImportError.directory(path: source.path))
        case .regular, .other: break
        }
    }

    private mutating func add(
        _ list: ListMetadata,
        at location: DatabaseLocation,
        keeper: MemoryDatabase?,
        gate: WriterQueue?
    ) throws(Failure) {
        let shape = ListPresentation(list, groupings: groupings)
        usedGroupings.formUnion(shape.usedGroupings)
        if let notice = shape.notice { notices.append(notice) }
        try add(try shape.definition(at: location, keeper: keeper, gate: gate))
    }

    private mutating func add(_ list: ListMetadata, in store: ListStore) throws(Failure) {
        try store.addIndex(for: ListPresentation(list, groupings: groupings))
        try add(list, at: store.location, keeper: store.keeper, gate: store.gate)
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
