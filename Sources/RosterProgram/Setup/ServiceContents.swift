package import ListAPI
package import Listings
import SQLite
import System

/// The lists of a service, and what belongs to them.
package struct ServiceContents {
    package var lists: [ListDefinition] = []
    package var controllers: [RegistrationSummary] = []
    package var routes: [ProgramRoute] = []
    package var identification: CallerIdentification?
    /// The board of the lists, if their definitions may change.
    var servedLists: ServedLists?
    /// The place of lists that clients make; nil where they make none.
    var creation: ListCreator?
    /// Nil if changes are not recorded.
    private(set) var history: HistoryStore?
    var notices: [String] = []
    /// The folder of a database that is too large for memory.
    var temporaryFolder: TemporaryFolder?
    /// The watcher of files, which lives as long as the service.
    var watcher: FileWatcher?
    /// The builder of missing indexes, which lives as long as the service.
    var indexBuilder: IndexBuilder?

    package init() {}

    /// Fails for lists and routes that a program declared wrongly.
    package func check() throws(Failure) {
        guard !lists.isEmpty else {
            throw Failure(.configuration, "the program has no list; declare one in 'lists'")
        }
        for (position, list) in lists.enumerated()
        where lists[..<position].contains(where: { $0.name == list.name }) {
            throw Failure(.configuration, "two lists have the name '\(list.name)'")
        }
        try ProgramRoute.check(routes, besides: lists.map(\.name))
    }

    /// Opens the history and adds its list.
    mutating func addHistory(
        _ configuration: Configuration,
        isWritable: Bool
    ) throws(Failure) {
        guard let path = configuration.history else { return }
        func refusal(_ text: String) -> Failure {
            Failure(.configuration, "--history: \(path) \(text); name another file")
        }
        guard path != Configuration.memory else { throw refusal("would end with the program") }
        guard !lists.contains(where: { $0.name == HistoryList.name }) else {
            throw Failure(
                .configuration,
                "--history: its list is '\(HistoryList.name)', and another one has this name; rename "
                    + "it, as in other=FILE"
            )
        }
        do {
            guard try !HistoryStore.isForeign(path) else { throw refusal("holds something else") }
            let limits = HistoryStore.Limits(
                age: .seconds(configuration.historyDays * 86_400),
                bytes: configuration.historyLimit << 20
            )
            let store = try HistoryStore(at: path, limits, wait: configuration.limits.writeWait)
            // Clients that write to it could change what they did.
            guard !configuration.sources.contains(where: { store.isFile(at: $0.path) }) else {
                throw refusal("is served")
            }
            lists.append(try HistoryList.definition(of: store, isWritable: isWritable))
            history = store
        } catch let failure as Failure {
            throw failure
        } catch let error as SQLiteError {
            let failure = Failure(error, path: path, access: .readWrite)
            throw Failure(failure.code, "--history: \(failure.text)")
        } catch {
            throw Failure(.software, "--history: \(error)")
        }
    }

    /// Shows the changes of the served lists, also of those that are served later.
    func showHistory() throws(Failure) {
        guard let history else { return }
        do throws(SQLiteError) { try history.show(lists) } catch {
            throw Failure(error, path: nil, access: .readWrite)
        }
        servedLists?.follow { lists in
            do throws(SQLiteError) { try history.show(lists) } catch {
                Diagnostics.write("the history shows no new lists: \(error)", .error)
            }
        }
    }
}

extension HistoryStore {
    fileprivate func show(_ lists: [ListDefinition]) throws(SQLiteError) {
        let shown = lists.filter { !$0.isHistory }.map { list in
            (list.name, list.source.schema.hidden.map(\.id))
        }
        try show(Dictionary(shown) { first, _ in first })
    }
}
