import Database
import ListAPI
import Listings
import Locks
import SQLite

/// The lists of files, which are imported again when the files change.
///
/// A file that cannot be imported keeps its rows, which are then stale.
struct WatchedFiles: ChangingLists {
    /// A list of a file.
    struct File: Sendable {
        /// The name of the list.
        let name: String
        /// The path of the file.
        let path: String
        /// The table of the file.
        let table: SourceTable
        /// A number other than 0 while the rows are stale.
        let staleness: SharedNumber
        /// The columns and the type of ids; other ones mean that the list has to be reopened.
        fileprivate(set) var fingerprint: String
        /// The current definition.
        fileprivate(set) var definition: ListDefinition
    }

    private var files: [File]
    private let store: ListStore.Place
    private let groupings: [GroupArgument]
    /// The paths of files that have changed since their import.
    private let changed: Locked<Set<String>>

    /// Creates the lists of files.
    ///
    /// - Parameters:
    ///   - files: The files, imported before.
    ///   - store: The database of the lists.
    ///   - groupings: The groupings of the command line.
    ///   - changed: The paths of changed files, added by a watcher.
    init(
        _ files: [File],
        in store: ListStore.Place,
        groupings: [GroupArgument],
        changed: Locked<Set<String>>
    ) {
        self.files = files
        self.store = store
        self.groupings = groupings
        self.changed = changed
    }

    /// The current definitions.
    var definitions: [ListDefinition] { files.map(\.definition) }

    /// Imports the changed files again.
    ///
    /// - Parameters:
    ///   - taken: The names of lists of other sources.
    ///   - isForced: Whether every file is compared with its list.
    /// - Returns: The lists with other columns, and the messages.
    /// - Throws: Never; a file that cannot be imported is a message.
    mutating func refresh(
        besides taken: Set<String>,
        isForced: Bool
    ) throws(Failure) -> ListChanges {
        let paths = changed.withLock { paths in
            defer { paths = [] }
            return paths
        }
        var changes = ListChanges()
        for index in files.indices where isForced || paths.contains(files[index].path) {
            let file = files[index]
            do throws(Failure) {
                let (list, notices) = try store.importFile(file, groupings: groupings)
                changes.messages += notices
                let fingerprint = Self.fingerprint(of: list)
                if fingerprint != file.fingerprint {
                    files[index].fingerprint = fingerprint
                    files[index].definition = try store.definition(
                        of: ListPresentation(list, groupings: groupings),
                        staleness: file.staleness
                    )
                    changes.others.insert(file.name)
                }
                file.staleness.value = 0
            } catch {
                file.staleness.value = 1
                changes.messages += error.text.split(separator: "\n").map(String.init)
                changes.messages.append("\(file.name): the rows of the last import stay")
            }
        }
        return changes
    }

    /// Returns the facts of a list that need another definition when they change.
    static func fingerprint(of list: ListMetadata) -> String { "\(list.idType) \(list.columns)" }
}
