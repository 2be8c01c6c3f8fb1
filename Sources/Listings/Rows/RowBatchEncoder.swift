public import Bytes

/// The properties shared by all rows of a controller whose rows consist of their cells only.
///
/// A closure writes such rows. It is created where the types of model and controller are known,
/// also in an embedding program. Writing through a type-erased registration is much slower, because
/// it looks up types for each row.
@usableFromInline
package final class RowBatchEncoder: Sendable {
    let kind: String
    let columns: [Column]
    let policy: RowFailurePolicy
    let model: String

    @usableFromInline
    init(kind: String, columns: [Column], policy: RowFailurePolicy, model: String) {
        self.kind = kind
        self.columns = columns
        self.policy = policy
        self.model = model
    }
}

@usableFromInline
struct RowKind {
    let position: Int
    let cellCount: Int
}

@usableFromInline
package final class RecordRowWriter<Model>: Sendable {
    @usableFromInline package let write: @Sendable (Model, inout Page) -> Void
    package let writeElements: @Sendable ([Model], borrowing Span<Int>, inout Page) -> Void
    let rows: RowBatchEncoder

    @usableFromInline
    init(
        _ rows: RowBatchEncoder,
        write: @escaping @Sendable (Model, inout Page) -> Void,
        writeElements: @escaping @Sendable ([Model], borrowing Span<Int>, inout Page) -> Void
    ) {
        self.rows = rows
        self.write = write
        self.writeElements = writeElements
    }
}

extension RowController {
    @inlinable
    func plainWriter(_ policy: RowFailurePolicy) -> RecordRowWriter<Model> {
        let rows = RowBatchEncoder(
            kind: kind,
            columns: columns,
            policy: policy,
            model: "\(Model.self)"
        )
        return RecordRowWriter(
            rows,
            write: { model, page in
                let kind = page.beginPlainRows(rows)
                var context = Context([model], at: 0, in: page.sectionLocation)
                write(&context, kind, rows, to: &page)
                page.endPlainRows()
            },
            writeElements: { models, positions, page in
                guard !positions.isEmpty else { return }
                var context = Context(models, at: positions[0], in: page.sectionLocation)
                let kind = page.beginPlainRows(rows)
                for index in positions.indices {
                    context.position = positions[index]
                    write(&context, kind, rows, to: &page)
                }
                page.endPlainRows()
            }
        )
    }

    // The context is `inout` so that it is unique and the controller borrows it. Otherwise the
    // compiler copies it for each row, which counts references.
    @inlinable
    func write(
        _ context: inout Context<Model>,
        _ kind: RowKind,
        _ rows: RowBatchEncoder,
        to page: inout Page
    ) {
        let revision = revision(of: context.model)
        if Model.ID.self == Int.self, let number = context.model.id as? Int {
            page.beginPlainRow(number, revision, kind)
        } else {
            page.beginPlainRow(context.model.id.description, revision, kind)
        }
        do {
            try write(context, to: &page.ownCells)
        } catch {
            return page.failPlainRow(.rowFailed, rows, error)
        }
        guard page.endPlainRow(kind) else { return page.failPlainRow(.cellCount, rows) }
    }
}

/// Its ids and cells are already in a cell buffer.
package protocol RecordRowController: RowController {
    /// Appends the whole row, with the same result as ``RowController/write(_:to:)`` and
    /// ``RowController/revision(of:)``.
    func write(_ model: Model, as rows: RowBatchEncoder, to page: inout Page)
}

extension RecordRowController {
    func plainRowWriter(_ policy: RowFailurePolicy) -> RecordRowWriter<Model> {
        let rows = RowBatchEncoder(
            kind: kind,
            columns: columns,
            policy: policy,
            model: "\(Model.self)"
        )
        return RecordRowWriter(
            rows,
            write: { model, page in write(model, as: rows, to: &page) },
            writeElements: { models, positions, page in
                for index in positions.indices {
                    write(models[positions[index]], as: rows, to: &page)
                }
            }
        )
    }
}

extension Page {
    /// Whether appended rows may be plain: no search, no expanded rows, and the section is visible.
    @usableFromInline package var takesPlainRows: Bool {
        precondition(!sections.isEmpty, "a row was appended before any section began")
        return search == nil && query.expanded.isEmpty && outline.level == 0
            && !sections[sections.count - 1].info.isCollapsed
    }

    @usableFromInline var sectionLocation: SectionLocation {
        sections[sections.count - 1].location
    }

    @usableFromInline
    mutating func beginPlainRows(_ rows: RowBatchEncoder) -> RowKind {
        let kind = kind(of: rows)
        return RowKind(position: kind, cellCount: kinds[kind].cellCount)
    }

    @usableFromInline
    mutating func endPlainRows() {
        let section = sections.count - 1
        sections[section].rows = sections[section].rows.lowerBound..<rowCount
    }

    /// The cells are written next.
    ///
    /// Releases no reference of the caller.
    @usableFromInline
    @_effects(releasenone)
    mutating func beginPlainRow(_ id: String, _ revision: Int64?, _ kind: RowKind) {
        let start = ids.count
        ids.append(id)
        appendSlot(kind, idFrom: start, revision, cells.count)
    }

    @usableFromInline
    @_effects(releasenone)
    mutating func beginPlainRow(_ id: Int, _ revision: Int64?, _ kind: RowKind) {
        let start = ids.count
        if let number = UInt64(exactly: id), number < SmallBytes.decimalEnd {
            ids.append(SmallBytes(decimal: number))
        } else {
            ids.append(decimal: Int64(id))
        }
        appendSlot(kind, idFrom: start, revision, cells.count)
    }

    @usableFromInline
    @_effects(releasenone)
    mutating func endPlainRow(_ kind: RowKind) -> Bool {
        guard let first = rowSlots[rowSlots.count - 1].firstCell else { return false }
        return cells.count - Int(first) == kind.cellCount
    }

    @usableFromInline
    mutating func failPlainRow(
        _ code: RowFailure.Code,
        _ rows: RowBatchEncoder,
        _ error: (any Error)? = nil
    ) {
        fail(rowSlots.count - 1, code, error, policy: rows.policy, model: rows.model)
    }

    private mutating func appendSlot(
        _ kind: RowKind,
        idFrom idStart: Int,
        _ revision: Int64?,
        _ firstCell: Int
    ) {
        var slot = RowSlot(
            kind: kind.position,
            idStart: idStart,
            idEnd: ids.count,
            revision: revision,
            level: 0
        )
        slot.firstCell = Int32(firstCell)
        rowSlots.append(slot)
    }

    /// The id and the cells are positions in the buffer.
    ///
    /// The revision changes with every change of the row; nil if there is none.
    package mutating func appendPlainRow(
        _ rows: RowBatchEncoder,
        id: Int,
        cells range: Range<Int>,
        of buffer: borrowing CellBuffer,
        revision: Int64?
    ) {
        let kind = beginPlainRows(rows)
        let (idStart, firstCell) = (ids.count, cells.count)
        buffer.writePlainText(id, to: &ids)
        ownCells.append(range, of: buffer)
        appendSlot(kind, idFrom: idStart, revision, firstCell)
        endPlainRows()
        if cells.count - firstCell != kind.cellCount {
            failPlainRow(.cellCount, rows)
        }
    }

    private mutating func kind(of rows: RowBatchEncoder) -> Int {
        if let known = knownKind, known.rows === rows { return known.kind }
        let kind = kind(rows.kind, columns: rows.columns)
        knownKind = (rows, kind)
        return kind
    }
}

/// A row that only has an id, a revision and cells.
///
/// The page holds its id.
@usableFromInline
package struct FlatRowContents {
    @usableFromInline package let kind: Int
    @usableFromInline package let firstCell: Int
    @usableFromInline package let revision: Int64?

    @inlinable
    init(kind: Int, firstCell: Int, revision: Int64?) {
        self.kind = kind
        self.firstCell = firstCell
        self.revision = revision
    }
}

extension Page {
    /// No row failed and no row is expanded.
    package var isFlat: Bool { failures.isEmpty && below.isEmpty }

    /// A row of a flat page; nil for child rows and rows with more than cells.
    ///
    /// Also nil for every row of a page with byte cells.
    @inlinable
    @inline(__always)
    package func plainRow(_ row: Int) -> FlatRowContents? {
        let slot = rowSlots[row]
        guard slot.extras < 0, slot.level == 0, !cells.hasBytes, let first = slot.firstCell
        else { return nil }
        return FlatRowContents(
            kind: slot.kind,
            firstCell: Int(first),
            revision: slot.revision
        )
    }

    @inlinable
    @inline(__always)
    package func locationOfID(ofRow row: Int) -> Range<Int> {
        let slot = rowSlots[row]
        return slot.idStart..<slot.idEnd
    }

    @inlinable
    @inline(__always)
    package borrowing func withIDs<R>(_ body: (borrowing ByteBuffer) -> R) -> R { body(ids) }

    @inlinable
    @inline(__always)
    package borrowing func withPaddedIDs<R>(_ body: (borrowing PaddedSpan) -> R) -> R {
        ids.withPadded(body)
    }
}
