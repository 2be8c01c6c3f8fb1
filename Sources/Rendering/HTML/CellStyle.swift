import Listings

struct CellStyle: Sendable {
    let type: ColumnType
    let format: ColumnFormat?
    let groupsDigits: Bool
    let label: String
    /// Whether texts without a display are shown as they are, unless they are addresses.
    let isPlain: Bool

    init(_ column: Column) {
        type = column.type
        format = column.format
        groupsDigits = column.groupsDigits
        label = column.label
        isPlain = column.format == nil && !column.type.isAddress
    }

    var longest: Int {
        var argument = label.utf8.count
        if case .unit(let unit)? = format { argument += unit.utf8.count }
        return 256 + argument * HTMLEscape.longest
    }
}

struct CellLocation {
    var isAlone = false
    var images = ImageHosts.empty
}
