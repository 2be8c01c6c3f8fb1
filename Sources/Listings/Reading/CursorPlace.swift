/// A place in a list's own order, as cursors carry it: the life of the list, the section's label and
/// perhaps the row's.
///
/// Labels stay with their rows and sections and are given out once, so the place is the same place
/// whatever is inserted, deleted or moved; and where the row itself is gone, still the one between
/// those that stood around it.
struct CursorPlace {
    let section: OrderLabel
    let row: OrderLabel?

    init(section: OrderLabel, row: OrderLabel?) {
        self.section = section
        self.row = row
    }

    /// Reads a value of a cursor.
    ///
    /// - Throws: ``SourceError/expiredCursor`` when the place is one of another life of the list, or
    ///   none at all.
    init(_ value: CellValue, epoch: UInt64) throws(SourceError) {
        guard case .text(let text) = value else { throw .expiredCursor }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, UInt64(parts[0], radix: 16) == epoch,
            let section = OrderLabel(parts[1])
        else { throw .expiredCursor }
        self.section = section
        row = parts.count == 3 ? OrderLabel(parts[2]) : nil
        if parts.count == 3, row == nil { throw .expiredCursor }
    }

    /// The place as a value of a cursor.
    func value(epoch: UInt64) -> CellValue {
        let rowText = row.map { "/" + $0.text } ?? ""
        return .text(String(epoch, radix: 16) + "/" + section.text + rowText)
    }
}
