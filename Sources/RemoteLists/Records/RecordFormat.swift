package import Database
package import Listings
import Locks
import System
package import TableFiles

/// A format that creates records from rows of any shape, typed by the first response.
///
/// The columns of a list are fixed when it is opened. If a later response omits a column, its cells
/// are empty. Additional columns are ignored. A value that no longer fits its column's type fails
/// the refresh.
package final class RecordFormat: Sendable {
    package struct Shape: Hashable, Sendable {
        let idName: String?
        package let idType: ColumnType
        package let columns: [Column]
        /// The members that the columns come from.
        let names: [String]
        let nested: NestedColumns
        package let renames: [ImportPlan.Rename]
        /// Whether the first response had no row to learn the columns from.
        let isEmpty: Bool
    }

    private let fixed = Locked<Shape?>(nil)

    package init() {}

    package var shape: Shape? { fixed.withLock { $0 } }

    package var format: RemoteFormat<Record> {
        RemoteFormat(
            decode: { pages throws(RemoteError) in try self.records(of: pages) },
            encode: { _ throws(RemoteError) in throw .unsupportedFormat("records") },
            areEqual: { old, new in
                old.count == new.count && zip(old, new).allSatisfy { $0.hasSameCells(as: $1) }
            }
        )
    }

    private func records(of pages: [RemotePage]) throws(RemoteError) -> [Record] {
        var survey = SchemaInference()
        let reading = PageRecords(pages, nested: fixed.withLock { $0?.nested })
        let names = try reading.read { record, _ throws(RemoteError) in survey.add(record) }
        let own = ImportPlan(names, survey: survey)
        let shape = try self.shape(for: own, names, survey, reading.nested)
        var writer = RecordWriter(shape, names)
        _ = try reading.read { record, location throws(RemoteError) in
            try writer.write(record, location)
        }
        let batch = writer.finish()
        return (0..<batch.count).map { Record(batch, at: $0) }
    }

    /// Fails if this response does not fit the columns of the first one.
    private func shape(
        for plan: ImportPlan,
        _ names: ColumnNames,
        _ survey: SchemaInference,
        _ nested: NestedColumns
    ) throws(RemoteError) -> Shape {
        let own = Shape(
            idName: plan.idName,
            idType: plan.idType,
            columns: plan.columns,
            names: names.all,
            nested: nested,
            renames: plan.renames,
            isEmpty: survey.recordCount == 0
        )
        let fixed = fixed.withLock { fixed in
            if fixed == nil { fixed = own }
            return fixed ?? own
        }
        guard survey.recordCount > 0, own != fixed else { return fixed }
        guard !fixed.isEmpty else {
            throw .columnChanged(own.names.first ?? "id", from: "unknown", to: "known")
        }
        guard fixed.idName == own.idName, fixed.idType == own.idType || fixed.idType == .text
        else {
            throw .columnChanged("id", from: fixed.idType.rawValue, to: own.idType.rawValue)
        }
        for (name, column) in zip(fixed.names, fixed.columns) {
            guard let position = names.position(of: name), position < survey.facts.count,
                survey.facts[position].hasValue
            else { continue }
            let type = survey.facts[position].type
            let isRead = type.kind == column.type.kind || column.type == .text || column.isMixed
            guard isRead else {
                throw .columnChanged(name, from: column.type.rawValue, to: type.rawValue)
            }
        }
        return fixed
    }
}
