import Bytes

/// What is the same for all rows of a controller whose rows are their cells and nothing else.
///
/// Such rows are written by a closure that is made where the types of model and controller are
/// known, also in an embedder's program: written through what was registered without them, a row
/// costs ten times the instructions, most of them for finding out about types.
@usableFromInline
package final class PlainRows: Sendable {
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

/// Writes whole rows of models into the section that a page began last.
@usableFromInline
package final class PlainWriter<Model>: Sendable {
    /// Writes the row of a model.
    @usableFromInline package let write: @Sendable (Model, inout Page) -> Void
    /// Writes the rows of models of an array, by their positions and in their order.
    let writeElements: @Sendable ([Model], [Int], inout Page) -> Void

    @usableFromInline
    init(
        write: @escaping @Sendable (Model, inout Page) -> Void,
        writeElements: @escaping @Sendable ([Model], [Int], inout Page) -> Void
    ) {
        self.write = write
        self.writeElements = writeElements
    }
}

extension RowController {
    /// What writes the rows of models.
    @inlinable
    func plainWriter(_ policy: RowFailurePolicy) -> PlainWriter<Model> {
        let rows = PlainRows(kind: kind, columns: columns, policy: policy, model: "\(Model.self)")
        return PlainWriter(
            write: { model, page in
                write(Context(model: model, in: page.sectionPlace), rows, to: &page)
            },
            writeElements: { models, positions, page in
                let section = page.sectionPlace
                for position in positions {
                    write(Context(model: models[position], in: section), rows, to: &page)
                }
            }
        )
    }

    @inlinable
    func write(_ context: Context<Model>, _ rows: PlainRows, to page: inout Page) {
        let row = page.beginPlainRow(
            context.model.id.description,
            revision(of: context.model),
            rows
        )
        do {
            try page.writeCells { cells in try write(context, to: &cells) }
            page.endPlainRow(row, rows)
        } catch {
            page.fail(row, error, rows)
        }
    }
}

/// Shows models whose ids and cells stand in a buffer of cells already.
package protocol PlainRowController: RowController {
    /// Appends the whole row of a model, as ``RowController/write(_:to:)`` and
    /// ``RowController/revision(of:)`` would have it.
    func write(_ model: Model, as rows: PlainRows, to page: inout Page)
}

extension PlainRowController {
    /// What writes the rows of models.
    func plainRowWriter(_ policy: RowFailurePolicy) -> PlainWriter<Model> {
        let rows = PlainRows(kind: kind, columns: columns, policy: policy, model: "\(Model.self)")
        return PlainWriter(
            write: { model, page in write(model, as: rows, to: &page) },
            writeElements: { models, positions, page in
                for position in positions { write(models[position], as: rows, to: &page) }
            }
        )
    }
}

extension Page {
    /// Whether rows appended now may be plain: nothing is looked for or shown below them.
    @usableFromInline package var takesPlainRows: Bool {
        precondition(!sections.isEmpty, "a row was appended before any section began")
        return search == nil && query.expanded.isEmpty && outline.level == 0
            && !sections[sections.count - 1].info.isCollapsed
    }

    /// The section that rows are appended to.
    @usableFromInline var sectionPlace: SectionPlace {
        mutating get {
            if let knownPlace { return knownPlace }
            let place = SectionPlace(sections[sections.count - 1].info)
            knownPlace = place
            return place
        }
    }

    /// Begins a row; its cells come next.
    @usableFromInline
    mutating func beginPlainRow(_ id: String, _ revision: Int64?, _ rows: PlainRows) -> Int {
        let idStart = ids.count
        ids.append(id)
        return beginPlainRow(idFrom: idStart, revision, rows)
    }

    private mutating func beginPlainRow(
        idFrom idStart: Int,
        _ revision: Int64?,
        _ rows: PlainRows
    ) -> Int {
        var slot = RowSlot(
            kind: kind(of: rows),
            idStart: idStart,
            idEnd: ids.count,
            revision: revision,
            level: 0
        )
        slot.firstCell = Int32(cells.count)
        rowSlots.append(slot)
        let section = sections.count - 1
        sections[section].rows = sections[section].rows.lowerBound..<rowSlots.count
        return rowSlots.count - 1
    }

    /// Appends a row whose id and cells are cells of a buffer.
    ///
    /// - Parameters:
    ///   - rows: What is the same for all such rows.
    ///   - id: The place of the id.
    ///   - range: The places of the cells.
    ///   - buffer: Has them.
    ///   - revision: Changes with every change of the row; nil where nobody keeps count.
    package mutating func appendPlainRow(
        _ rows: PlainRows,
        id: Int,
        cells range: Range<Int>,
        of buffer: borrowing CellBuffer,
        revision: Int64?
    ) {
        let start = ids.count
        buffer.writePlainText(id, to: &ids)
        let row = beginPlainRow(idFrom: start, revision, rows)
        cells.append(range, of: buffer)
        endPlainRow(row, rows)
    }

    /// The position of the kind of rows, which is that of the rows before them most often.
    private mutating func kind(of rows: PlainRows) -> Int {
        if let known = knownKind, known.rows === rows { return known.kind }
        let kind = kind(rows.kind, columns: rows.columns)
        knownKind = (rows, kind)
        return kind
    }

    /// Lends the cells of all rows to be added to.
    @usableFromInline
    mutating func writeCells(_ body: (inout CellBuffer) throws -> Void) throws {
        try body(&cells)
    }

    /// Ends a row whose cells are written.
    @usableFromInline
    mutating func endPlainRow(_ row: Int, _ rows: PlainRows) {
        let first = Int(rowSlots[row].firstCell ?? 0)
        if cells.count - first != kinds[rowSlots[row].kind].cellCount {
            fail(row, .cellCount, nil, rows)
        }
    }

    /// Leaves an error in place of a row whose controller has thrown.
    @usableFromInline
    mutating func fail(_ row: Int, _ error: any Error, _ rows: PlainRows) {
        fail(row, .rowFailed, error, rows)
    }

    private mutating func fail(
        _ row: Int,
        _ code: RowFailure.Code,
        _ error: (any Error)?,
        _ rows: PlainRows
    ) {
        fail(row, code, error, policy: rows.policy, model: rows.model)
    }
}
