import Database
import Listings
import Remote
import SQLite

/// The lists of the service, made of what the command line names.
struct ListLibrary {
    /// The lists, in the order they were named.
    private(set) var lists: [ListDefinition] = []
    /// What the operator should know of them.
    private(set) var notices: [String] = []
    private let groupings: [GroupArgument]
    private var usedGroupings: Set<GroupArgument> = []

    /// Opens, and where needed imports, every source.
    ///
    /// - Throws: ``Failure``, for the first source that cannot be served.
    init(_ configuration: Configuration) throws(Failure) {
        groupings = configuration.groupings
        if configuration.sources.isEmpty, configuration.database == nil {
            try addSamples()
        } else {
            try addStored(configuration)
        }
        try check()
    }

    private mutating func addSamples() throws(Failure) {
        do {
            lists.append(try SampleList.make())
            notices.append("no source is named; these are sample users, see roster --help")
        } catch {
            throw Failure(.software, "the sample users cannot be read: \(error)")
        }
    }

    /// Imports the files among the sources, fetches what other services have, and serves what the
    /// database holds then; the lists named come first, in their order.
    private mutating func addStored(_ configuration: Configuration) throws(Failure) {
        var named: [String] = []
        var remote: [String: ListDefinition] = [:]
        var store: ListStore?
        if configuration.database != nil || configuration.sources.contains(where: \.isFile) {
            store = try ListStore(path: configuration.database)
        }
        for source in configuration.sources where !source.isDatabase {
            let name = source.listName
            do {
                try SourceArgument.check(name)
            } catch {
                throw Failure(error)
            }
            guard !named.contains(name) else { throw Failure(.repeatedList(name)) }
            if let address = source.address {
                remote[name] = try remoteList(name, at: address, configuration)
            } else if let store {
                notices += try store.importFile(at: source.path, as: name, groupings: groupings)
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
        var stored = try store?.lists(first: named.filter { remote[$0] == nil }) ?? []
        if let list = stored.first(where: { remote[$0.name] != nil }) {
            throw Failure(.repeatedList(list.name))
        }
        for name in named {
            if let list = remote[name] {
                lists.append(list)
            } else if let store, !stored.isEmpty {
                try add(stored.removeFirst(), in: store)
            }
        }
        guard let store else { return }
        for list in stored { try add(list, in: store) }
    }

    private mutating func add(_ list: StoredList, in store: ListStore) throws(Failure) {
        let shape = ListShape(list, groupings: groupings)
        usedGroupings.formUnion(shape.usedGroupings)
        if let notice = shape.notice { notices.append(notice) }
        lists.append(try shape.definition(in: store))
    }

    private mutating func remoteList(
        _ name: String,
        at address: RemoteAddress,
        _ configuration: Configuration
    ) throws(Failure) -> ListDefinition {
        let setup = try RemoteSetup(name, at: address, configuration)
        usedGroupings.formUnion(setup.usedGroupings)
        notices += setup.notices
        return setup.definition
    }

    private func check() throws(Failure) {
        guard let unused = groupings.first(where: { !usedGroupings.contains($0) }) else { return }
        let columns = lists.map { list in
            "\(list.name) has " + list.source.schema.columns.map(\.id).joined(separator: ", ")
        }
        throw Failure(
            .usage,
            "--group-by: no list makes sections of '\(unused.column)'; "
                + columns.joined(separator: "; ")
        )
    }
}
