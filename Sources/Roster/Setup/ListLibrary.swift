import Database
import Listings
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

    /// Imports the files among the sources, and serves what the database holds then.
    private mutating func addStored(_ configuration: Configuration) throws(Failure) {
        let files = configuration.sources.filter { !$0.isDatabase }
        guard !files.isEmpty || configuration.database != nil else { return }
        let store = try ListStore(path: configuration.database)
        var named: [String] = []
        for file in files {
            let name = file.name ?? FileFormat.name(ofFileAt: file.path)
            do {
                try SourceArgument.check(name)
            } catch {
                throw Failure(error)
            }
            guard !named.contains(name) else { throw Failure(.repeatedList(name)) }
            notices += try store.importFile(at: file.path, as: name, groupings: groupings)
            named.append(name)
        }
        for list in try store.lists(first: named) {
            let shape = ListShape(list, groupings: groupings)
            usedGroupings.formUnion(shape.usedGroupings)
            if let notice = shape.notice { notices.append(notice) }
            lists.append(try shape.definition(in: store))
        }
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
