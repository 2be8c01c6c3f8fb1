import Locks
import TableFiles

/// The JSON document that was read last, so that one reading serves all of its lists.
package final class DocumentCache: Sendable {
    private struct Entry {
        let path: String
        let stamp: SourceFile.Stamp
        let rows: JSONRows
    }

    private let entry = Locked<Entry?>(nil)

    package init() {}

    package func clear() { entry.withLock { $0 = nil } }

    func rows(of file: borrowing SourceFile) -> JSONRows? {
        let (path, stamp) = (file.path, file.stamp)
        return entry.withLock { $0?.path == path && $0?.stamp == stamp ? $0?.rows : nil }
    }

    func store(_ rows: JSONRows, of file: borrowing SourceFile) {
        let (path, stamp) = (file.path, file.stamp)
        entry.withLock { $0 = Entry(path: path, stamp: stamp, rows: rows) }
    }
}
