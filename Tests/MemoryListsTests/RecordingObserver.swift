import ListDiff
import Listings
import Locks
import MemoryLists

final class RecordingObserver: DataSourceObserver {
    private let lines = Locked<[String]>([])
    private let whenTold: @Sendable (DataSource, ChangeBatch) -> Void

    init(whenTold: @escaping @Sendable (DataSource, ChangeBatch) -> Void = { _, _ in }) {
        self.whenTold = whenTold
    }

    var log: [String] { lines.withLock { $0 } }

    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    func dataSource(_ dataSource: DataSource, didApply batch: ChangeBatch) {
        lines.withLock { $0.append("\(batch.from)-\(batch.to)") }
        whenTold(dataSource, batch)
    }

    func dataSourceWasMutated(_ dataSource: DataSource) { lines.withLock { $0.append("whole") } }

    func dataSource(_ dataSource: DataSource, didMutateSection section: Int) {
        lines.withLock { $0.append("section \(section)") }
    }

    func dataSource(_ dataSource: DataSource, didMutateRows rows: [IndexPath]) {
        lines.withLock { $0.append("rows \(rows)") }
    }
}
