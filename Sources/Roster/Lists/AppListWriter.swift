import Listings
import Locks

final class AppListWriter: ListWriter {
    let rules: RowRules
    private let reader: any ListReader
    private let list: AppList

    init(_ rules: RowRules, _ reader: any ListReader, of list: AppList) {
        self.rules = rules
        self.reader = reader
        self.list = list
    }

    func write(
        _ batch: WriteBatch,
        into page: inout Page,
        response: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteResponse {
        guard batch.receipt == nil else { throw .keepsNoAnswers }
        guard batch.changes.count == 1 else {
            throw .unavailable(reason: "the list takes one change at a time")
        }
        let changed = try record(batch.changes[0], into: &page, write)
        do throws(SourceError) {
            reader.begin()
            if batch.readsRow, changed.effect != .deleted {
                _ = try reader.readRow(
                    changed.id,
                    grouping: list.schema.defaultGrouping,
                    into: &page
                )
            }
        } catch {
            // The change is stored, although the row cannot be read now.
            throw .uncertain(reason: "the row was written, but not read: \(error)")
        }
        return .performed(response(page, [.success(changed)]))
    }

    private func record(
        _ change: RowChange,
        into page: inout Page,
        _ write: (RowChange) throws(WriteError) -> ChangedRow
    ) throws(WriteError) -> ChangedRow {
        guard let recorder = ChangeRecorder.current else { return try write(change) }
        let old = change.id.flatMap { values(ofRow: $0, into: &page) }
        let (list, verb) = (page.list, change.verb == .delete ? "deleted" : "changed")
        let intended = RecordedChange(of: list, row: change.id ?? "", verb, from: old)
        do {
            return try recorder.record(intended) {
                let changed = try write(change)
                guard changed.effect != .unchanged else { return (changed, nil) }
                let isGone = changed.effect == .deleted
                let new = isGone ? nil : values(ofRow: changed.id, into: &page)
                let effect = changed.effect.rawValue
                let found = RecordedChange(of: list, row: changed.id, effect, from: old, to: new)
                return (changed, found)
            }
        } catch {
            throw error as? WriteError ?? .unavailable(reason: "\(error)")
        }
    }

    /// Nil for a row that cannot be read.
    private func values(ofRow id: String, into page: inout Page) -> String? {
        reader.begin()
        let grouping = list.schema.defaultGrouping
        guard (try? reader.readRow(id, grouping: grouping, into: &page)) == true else { return nil }
        return page.json(ofRow: 0)
    }

    private func write(_ change: RowChange) throws(WriteError) -> ChangedRow {
        do {
            guard let changed = try list.section(of: change)?.write(change) else {
                throw RowRefusal.unknownRow(change.id ?? "")
            }
            return changed
        } catch let refusal as RowRefusal {
            throw .refused([0: refusal])
        } catch let error as InvalidValues {
            throw .refused([0: .invalid(error.errors)])
        } catch let error as SourceError {
            throw .unavailable(reason: "\(error)")
        } catch is CancellationError where RequestCancellation.current?.isCancelled == true {
            throw .unavailable(reason: "the client has left")
        } catch {
            throw .failed(reason: "\(error)")
        }
    }
}
