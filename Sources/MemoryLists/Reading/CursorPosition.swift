import Listings

/// A place in a list's own order, as cursors encode it: the list's epoch, the section's label and
/// optionally the row's.
///
/// Labels stay with their rows and sections, and are never reused. A place therefore stays valid
/// when rows are inserted, deleted or moved. The place of a deleted row lies between its former
/// neighbors.
struct CursorPosition {
    let section: OrderLabel
    let row: OrderLabel?

    init(section: OrderLabel, row: OrderLabel?) {
        self.section = section
        self.row = row
    }

    /// Decodes a value of a cursor.
    ///
    /// - Throws: ``SourceError/expiredCursor`` if the value is no place, or one of another epoch of
    ///   the list.
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

    /// Encodes the place as a value of a cursor.
    func value(epoch: UInt64) -> CellValue {
        let rowText = row.map { "/" + $0.text } ?? ""
        return .text(String(epoch, radix: 16) + "/" + section.text + rowText)
    }
}
