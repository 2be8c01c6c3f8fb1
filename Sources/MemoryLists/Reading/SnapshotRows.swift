import Listings

/// The rows of a snapshot in its own order.
///
/// A page takes O(log n) and reads only its own models, because nothing is prepared.
struct SnapshotRows: RowSequence {
    private let sections: BalancedTree<SectionNode>
    private let epoch: UInt64
    /// Whether all rows are in one section, including those of collapsed sections.
    private let isMerged: Bool
    private let includesCollapsed: Bool

    init(
        _ sections: BalancedTree<SectionNode>,
        epoch: UInt64,
        isMerged: Bool,
        includesCollapsed: Bool
    ) {
        self.sections = sections
        self.epoch = epoch
        self.isMerged = isMerged
        self.includesCollapsed = includesCollapsed || isMerged
    }

    var count: Int { rowCount(sections.tally) }

    var rowCount: Int { sections.tally.parts }

    var width: Int { sections.tally.width }

    var hasUniqueIDs: Bool { sections.tally.hasUniqueIDs }

    var sectionCount: Int { isMerged ? min(1, count) : sections.tally.elements }

    func section(at index: Int) throws(SourceError) -> SequenceSection {
        if isMerged {
            let info = SectionInfo(id: "all", key: .whole, header: nil)
            return SequenceSection(
                location: SectionLocation(info),
                rows: 0..<count,
                count: rowCount
            )
        }
        guard let (before, node) = node(at: index) else {
            throw .corrupted(reason: "section \(index) of \(sectionCount) is missing")
        }
        return SequenceSection(
            location: SectionLocation(node.info),
            rows: rowCount(before)..<rowCount(before) + rowCount(node.tally),
            count: node.tally.parts
        )
    }

    func sectionIndex(ofRow row: Int) -> Int {
        isMerged ? 0 : find(row)?.before.elements ?? sectionCount
    }

    func model(ofRow row: Int) -> Int {
        find(row).map { $0.before.models + row - rowCount($0.before) } ?? 0
    }

    func partCount(ofRow row: Int) -> Int {
        guard let (before, node) = find(row) else { return 0 }
        return node.rows.locate(row - rowCount(before))?.piece.storage.rowsPerModel ?? 0
    }

    func leadingValue(ofRow row: Int) -> CellValue { .null }

    func firstRow(after cursor: Cursor) throws(SourceError) -> Int {
        try row(at: cursor) { rows, label in
            let index = rows.index(notBefore: label)
            return rows.label(at: index) == label ? index + 1 : index
        }
    }

    func firstRow(notBefore cursor: Cursor) throws(SourceError) -> Int {
        try row(at: cursor) { rows, label in rows.index(notBefore: label) }
    }

    func firstSection(after cursor: Cursor) throws(SourceError) -> Int {
        let label = try CursorPosition(cursor, epoch: epoch).section
        return sections.first { $1.label > label }?.before.elements ?? sectionCount
    }

    func firstSection(notBefore cursor: Cursor) throws(SourceError) -> Int {
        let label = try CursorPosition(cursor, epoch: epoch).section
        return sections.first { $1.label >= label }?.before.elements ?? sectionCount
    }

    func cursor(ofRow row: Int, _ signature: UInt32) throws(SourceError) -> Cursor {
        guard let (before, node) = find(row),
            let label = node.rows.label(at: row - rowCount(before))
        else { throw .corrupted(reason: "row \(row) of \(count) is missing") }
        let location = CursorPosition(section: node.label, row: label).value(epoch: epoch)
        return Cursor(
            signature: signature,
            section: isMerged ? .whole : node.location(epoch: epoch),
            row: Cursor.Row(values: [location])
        )
    }

    func cursor(ofSection index: Int, _ signature: UInt32) throws(SourceError) -> Cursor {
        guard !isMerged, let node = node(at: index)?.element else {
            return Cursor(signature: signature, section: .whole, row: nil)
        }
        return Cursor(signature: signature, section: node.location(epoch: epoch), row: nil)
    }

    func append(_ rows: Range<Int>, to page: inout Page) throws(SourceError) {
        var start = rows.lowerBound
        while start < rows.upperBound, let (before, node) = find(start) {
            let first = rowCount(before)
            let end = min(rows.upperBound, first + rowCount(node.tally))
            try node.append(start - first..<end - first, to: &page)
            start = end
        }
    }

    private func node(at index: Int) -> (before: RopeSummary, element: SectionNode)? {
        sections.first { before, _ in before.elements >= index }
    }

    private func rowCount(_ tally: RopeSummary) -> Int {
        includesCollapsed ? tally.models : tally.rows
    }

    private func find(_ row: Int) -> (before: RopeSummary, element: SectionNode)? {
        sections.first { rowCount($0) + rowCount($1.tally) > row }
    }

    private func row(
        at cursor: Cursor,
        _ find: (RowRope, OrderLabel) -> Int
    ) throws(SourceError) -> Int {
        let location = try CursorPosition(cursor, epoch: epoch)
        guard let (before, node) = sections.first(where: { $1.label >= location.section }) else {
            return count
        }
        guard node.label == location.section, let label = location.row else {
            return rowCount(before)
        }
        return rowCount(before) + min(find(node.rows, label), rowCount(node.tally))
    }
}

extension SectionNode {
    func location(epoch: UInt64) -> SectionKey {
        .value(CursorPosition(section: label, row: nil).value(epoch: epoch))
    }
}

extension CursorPosition {
    /// The place is the row's, or the section's if there is no row.
    init(_ cursor: Cursor, epoch: UInt64) throws(SourceError) {
        if let value = cursor.row?.values.first {
            self = try CursorPosition(value, epoch: epoch)
        } else if case .value(let value) = cursor.section {
            self = try CursorPosition(value, epoch: epoch)
        } else {
            throw .expiredCursor
        }
    }
}
