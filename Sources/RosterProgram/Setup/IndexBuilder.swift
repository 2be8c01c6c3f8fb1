import Database
import ListAPI
import Locks
import SQLite
import System

/// Creates the missing indexes of large lists while they are served.
///
/// Each index is committed on its own, so that writers wait for one index at most, and the next
/// start continues after an interruption.
final class IndexBuilder: Sendable {
    private let interruption = Locked<Interruption?>(nil)
    private let isEnded = SharedNumber(0)

    /// Begins to create indexes, until the last reference is gone.
    ///
    /// The result is nil if no index is missing.
    init?(
        _ units: [WatchedFiles.Unit],
        in store: ListStore.ImportTarget,
        groupings: [GroupArgument],
        onChange: @escaping @Sendable (_ path: String) -> Void
    ) {
        let lists = units.flatMap { unit in
            unit.lists.filter { $0.missingIndexes > 0 }.map { (unit.source.path, $0) }
        }
        guard !lists.isEmpty else { return nil }
        for (_, list) in lists { list.secondsToIndexes.value = UInt64(list.missingIndexes) }
        var threads = ThreadGroup()
        let work: @Sendable () -> Void = { [interruption, isEnded] in
            do throws(Failure) {
                let connection = try store.connect()
                interruption.replace(with: connection.interruption)
                for (path, list) in lists {
                    try Self.complete(list, in: store, groupings, on: connection) {
                        isEnded.value != 0
                    }
                    guard isEnded.value == 0 else { return }
                    onChange(path)
                }
            } catch {
                guard isEnded.value == 0 else { return }
                // Requests read all rows instead of waiting.
                for (_, list) in lists { list.secondsToIndexes.value = 0 }
                let next = store.keeper == nil ? "; the next start creates the missing indexes" : ""
                Diagnostics.write(
                    "\(error.text); other orders and searches read all rows\(next)",
                    .error
                )
            }
        }
        do {
            try threads.start(named: "index-builder", work)
        } catch {
            Diagnostics.write("\(error.call): \(error.reason); no index is created", .error)
            return nil
        }
        threads.detach()
    }

    deinit {
        isEnded.value = 1
        interruption.withLock { $0?.raise() }
    }

    private static func complete(
        _ list: WatchedFiles.File,
        in store: ListStore.ImportTarget,
        _ groupings: [GroupArgument],
        on connection: DatabaseConnection,
        isEnded: () -> Bool
    ) throws(Failure) {
        let start = ContinuousClock.now
        var done = 0
        var left = list.missingIndexes
        while left > 0, !isEnded() {
            left = try store.createIndex(of: list.name, groupings: groupings, on: connection)
            done += 1
            let seconds = (ContinuousClock.now - start) / .seconds(1) / Double(done)
            list.secondsToIndexes.value = left == 0 ? 0 : UInt64(seconds * Double(left)) + 1
        }
        guard left == 0 else { return }
        let tenths = Int((ContinuousClock.now - start) / .milliseconds(100))
        Diagnostics.write(
            "\(list.name): indexes are complete after \(tenths / 10).\(tenths % 10) s"
        )
    }
}
