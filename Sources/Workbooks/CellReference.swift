/// The place of a cell, such as `B7`: numbers of row and column from 1.
struct CellReference: Hashable {
    static let maximumRow = 1_048_576
    static let maximumColumn = 16_384

    let row: Int
    let column: Int

    /// Nil for other texts, and for numbers of more than nine digits.
    init?(_ text: some StringProtocol) {
        var (row, column) = (0, 0)
        for byte in text.utf8 where byte != UInt8(ascii: "$") {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                guard row == 0, column < 1_000_000 else { return nil }
                column = column * 26 + Int(byte & 0x1F)
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard column > 0, row < 100_000_000 else { return nil }
                row = row * 10 + Int(byte - UInt8(ascii: "0"))
            default: return nil
            }
        }
        guard row > 0 else { return nil }
        self.row = row
        self.column = column
    }
}

/// A block of cells, such as `A1:C2`.
struct CellBlock: Hashable {
    let rows: ClosedRange<Int>
    let columns: ClosedRange<Int>

    init(rows: ClosedRange<Int>, columns: ClosedRange<Int>) {
        self.rows = rows
        self.columns = columns
    }

    init?(_ text: String) {
        let corners = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let first = corners.first.flatMap({ CellReference($0) }),
            let last = corners.last.flatMap({ CellReference($0) }), corners.count <= 2,
            first.row <= last.row, first.column <= last.column
        else { return nil }
        rows = first.row...last.row
        columns = first.column...last.column
    }
}
