import Database
import ListAPI
import Listings
import Locks
import SQLite
import System

/// The lists of files, which are imported again when the files change.
///
/// New lists of a file and new files of a folder are added, and lists that a file no longer has are
/// removed. A file that cannot be read keeps its rows, which are then stale.
struct WatchedFiles: ChangingLists {
    struct File: Sendable {
        let name: String
        /// A number other than 0 while the rows are stale.
        let staleness: SharedNumber
        /// The seconds until all indexes are created.
        let secondsToIndexes: SharedNumber
        let missingIndexes: Int
        let saver: FileSaver?
        /// The columns, the type of ids and the indexes; other ones mean that the list has to be
        /// reopened.
        let fingerprint: String
        let definition: ListDefinition

        init(
            _ list: ListMetadata,
            _ definition: ListDefinition,
            _ staleness: SharedNumber,
            _ secondsToIndexes: SharedNumber,
            _ saver: FileSaver?
        ) {
            name = list.name
            missingIndexes = list.rowCount < TableIndexes.minimumRows ? 0 : list.missingIndexes
            self.staleness = staleness
            self.secondsToIndexes = secondsToIndexes
            self.definition = definition
            self.saver = saver
            fingerprint = WatchedFiles.fingerprint(of: list)
        }
    }

    struct Unit: Sendable {
        let source: FileSource
        var lists: [File] = []
        var failure: FailedSource?
    }

    private var units: [Unit]
    private let folders: [String]
    private let store: ListStore.ImportTarget
    private let configuration: Configuration
    private let changed: Locked<[String: FileChange]>

    init(
        _ units: [Unit],
        folders: [String],
        in store: ListStore.ImportTarget,
        _ configuration: Configuration,
        changed: Locked<[String: FileChange]>
    ) {
        self.units = units
        self.folders = folders
        self.store = store
        self.configuration = configuration
        self.changed = changed
    }

    var failures: [FailedSource] { units.compactMap(\.failure) }

    var definitions: [ListDefinition] { units.flatMap { $0.lists.map(\.definition) } }

    /// Imports the changed files again.
    ///
    /// - Returns: The lists that are new, gone or have other columns, and the messages.
    /// - Throws: Never; a file that cannot be imported is a message.
    mutating func refresh(
        besides taken: Set<String>,
        isForced: Bool
    ) throws(Failure) -> ListChanges {
        let found = changed.withLock { changes in
            defer { changes = [:] }
            return changes
        }
        var changes = ListChanges()
        let known = Set(units.map(\.source.path))
        if isForced || !known.isSuperset(of: found.keys) {
            for folder in folders {
                // A folder that cannot be read has no new files.
                let found = (try? FileSource.paths(inFolder: folder)) ?? []
                for path in found where !known.contains(path) {
                    units.append(Unit(source: FileSource(location: .path(path), name: nil)))
                }
            }
        }
        let documents = DocumentCache()
        for index in units.indices {
            let path = units[index].source.path
            let isOutdated = units[index].lists.contains { $0.saver?.takeDescription() ?? false }
            guard isForced || isOutdated || found[path] != nil || !known.contains(path) else {
                continue
            }
            var others = taken
            for (other, unit) in units.enumerated() where other != index {
                others.formUnion(unit.lists.map(\.name))
            }
            units[index].failure = nil
            do throws(Failure) {
                try refresh(
                    &units[index],
                    documents,
                    besides: others,
                    found[path] ?? .complete,
                    &changes
                )
            } catch {
                changes.messages += error.text.split(separator: "\n").map(String.init)
                // A file that had no list and is gone is no failure.
                if !units[index].lists.isEmpty || FileKind(atPath: path) != .missing {
                    units[index].failure = FailedSource(at: path, error)
                }
                for list in units[index].lists { Self.keep(list, &changes) }
            }
        }
        return changes
    }

    private func refresh(
        _ unit: inout Unit,
        _ documents: DocumentCache,
        besides others: Set<String>,
        _ change: FileChange,
        _ changes: inout ListChanges
    ) throws(Failure) {
        let path = unit.source.path
        let found = try unit.source.lists(configuration, documents, besides: others)
        guard let found else {
            throw Failure(.badData, "\(path): it is a database now, which a restart opens")
        }
        var lists: [File] = []
        for list in found.lists {
            let old = unit.lists.first { $0.name == list.name }
            guard !others.contains(list.name) else {
                changes.messages.append(
                    "\(path): list '\(list.name)' is not served: there is another list of that name"
                )
                continue
            }
            do throws(Failure) {
                lists.append(try importedAgain(list, path, old, change, &changes))
            } catch {
                // The file is as this program has written it.
                if let old, old.saver?.isCurrent == true {
                    lists.append(old)
                    continue
                }
                unit.failure = FailedSource(at: path, error)
                changes.messages += error.text.split(separator: "\n").map(String.init)
                if let old {
                    Self.keep(old, &changes)
                    lists.append(old)
                }
            }
        }
        let gone = Set(unit.lists.map(\.name)).subtracting(found.lists.map(\.name))
        changes.gone.formUnion(gone)
        changes.messages += gone.sorted().map { "\(path): list '\($0)' is gone" }
        unit.lists = lists
    }

    private func importedAgain(
        _ list: FileSource.List,
        _ path: String,
        _ old: File?,
        _ change: FileChange,
        _ changes: inout ListChanges
    ) throws(Failure) -> File {
        let groupings = configuration.groupings
        let outcome: ListImporter.Outcome
        do throws(ImportError) {
            outcome = try store.importFile(list, groupings, after: change)
        } catch {
            throw store.failure(error, of: path)
        }
        let found = outcome.list
        changes.messages += outcome.notices(on: path)
        old?.staleness.value = 0
        if let old, old.fingerprint == Self.fingerprint(of: found) { return old }
        changes.others.insert(list.name)
        if old == nil { changes.messages.append("\(path): list '\(list.name)' is new") }
        let staleness = old?.staleness ?? SharedNumber(0)
        let seconds = old?.secondsToIndexes ?? SharedNumber(0)
        let saver = old?.saver ?? checkedSaver(of: list, path, &changes)
        let definition = try ListPresentation(found, groupings: groupings).definition(
            through: store.readers,
            in: store,
            savedBy: saver,
            staleness: staleness,
            secondsToIndexes: seconds,
            described: configuration.description(of: list.name)
        )
        return File(found, definition, staleness, seconds, saver)
    }

    /// Nil for a file that cannot be saved, whose list is read-only.
    private func checkedSaver(
        of list: FileSource.List,
        _ path: String,
        _ changes: inout ListChanges
    ) -> FileSaver? {
        let saver = store.saver(of: list, path, groupings: configuration.groupings)
        do throws(WriteError) {
            try saver?.prepare()
            return saver
        } catch {
            let text = Failure.unsaved(path, error).text
            changes.messages.append("\(text); the list '\(list.name)' is read-only")
            return nil
        }
    }

    /// Notes that a list keeps the rows of the last import.
    private static func keep(_ list: File, _ changes: inout ListChanges) {
        list.staleness.value = 1
        changes.messages.append("\(list.name): the rows of the last import stay")
    }

    private static func fingerprint(of list: ListMetadata) -> String {
        "\(list.idType) \(list.columns) \(list.missingIndexes) "
            + "\(list.wordIndex ?? "") \(list.trigramIndex ?? "")"
    }
}
