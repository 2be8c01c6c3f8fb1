import Listings

/// A writer of the rows of a declared list, which calls the closures of the program.
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
        answer: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteResponse {
        guard batch.receipt == nil else { throw .keepsNoAnswers }
        guard batch.changes.count == 1, let section = list.opened.first else {
            throw .unavailable(reason: "the list takes one change at a time")
        }
        let changed = try write(batch.changes[0], to: section)
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
        return .performed(answer(page, [.success(changed)]))
    }

    private func write(
        _ change: RowChange,
        to section: any OpenedSection
    ) throws(WriteError) -> ChangedRow {
        do {
            guard let changed = try section.write(change) else {
                throw RowRefusal.unknownRow(change.id ?? "")
            }
            return changed
        } catch let refusal as RowRefusal {
            throw .refused([0: refusal])
        } catch let error as InvalidValues {
            throw .refused([0: .invalid(error.errors)])
        } catch {
            throw .unavailable(reason: "\(error)")
        }
    }
}
