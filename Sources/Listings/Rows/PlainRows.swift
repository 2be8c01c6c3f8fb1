import Bytes

/// What is the same for all rows of a controller whose rows are their cells and nothing else.
///
/// Such rows are written by a closure that is made where the types of model and controller are
/// known, also in an embedder's program: written through what was registered without them, a row
/// costs ten times the instructions, most of them for finding out about types.
@usableFromInline
struct PlainRows: Sendable {
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

extension RowController {
    /// What writes a row of a model into the section that a page began last.
    @inlinable
    func plainWriter(_ policy: RowFailurePolicy) -> @Sendable (Model, inout Page) -> Void {
        let rows = PlainRows(kind: kind, columns: columns, policy: policy, model: "\(Model.self)")
        return { model, page in
            let revision = revision(of: model)
            let row = page.beginPlainRow(model.id.description, revision, rows)
            do {
                let context = Context(model: model, section: page.lastSection)
                try page.writeCells { cells in try write(context, to: &cells) }
                page.endPlainRow(row, rows)
            } catch {
                page.fail(row, error, rows)
            }
        }
    }
}

extension Page {
    /// Whether rows appended now may be plain: nothing is looked for or shown below them.
    var takesPlainRows: Bool {
        search == nil && query.expanded.isEmpty && outline.level == 0
            && !(sections.last?.info.isCollapsed ?? true)
    }

    /// The section that rows are appended to.
    @usableFromInline var lastSection: SectionInfo { sections[sections.count - 1].info }

    /// Begins a row; its cells come next.
    @usableFromInline
    mutating func beginPlainRow(_ id: String, _ revision: Int64?, _ rows: PlainRows) -> Int {
        let idStart = ids.count
        ids.append(id)
        var slot = RowSlot(
            kind: kind(rows.kind, columns: rows.columns),
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

    /// Lends the cells of all rows to be added to.
    @usableFromInline
    mutating func writeCells(_ body: (inout CellBuffer) throws -> Void) throws {
        try body(&cells)
    }

    /// Ends a row whose cells are written.
    @usableFromInline
    mutating func endPlainRow(_ row: Int, _ rows: PlainRows) {
        let first = Int(rowSlots[row].firstCell ?? 0)
        if cells.count - first != kind(of: row).cellCount { fail(row, .cellCount, nil, rows) }
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
