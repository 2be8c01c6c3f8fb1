import Listings

/// The presentation of the cells of a column.
struct CellStyle: Sendable {
    let type: ColumnType
    let format: ColumnFormat?
    /// Whether large numbers have marks between groups of digits.
    let groupsDigits: Bool
    /// The label of the column, which names its images.
    let label: String
    /// Whether texts without a display are shown as they are, unless they are addresses.
    let isPlain: Bool

    init(_ column: Column) {
        type = column.type
        format = column.format
        groupsDigits = column.groupsDigits
        label = column.label
        isPlain = column.format == nil && column.type != .email && column.type != .link
    }

    /// The most bytes of a value besides its texts and the words of the language.
    var longest: Int {
        var argument = label.utf8.count
        if case .unit(let unit)? = format { argument += unit.utf8.count }
        return 256 + argument * HTMLEscape.longest
    }
}

/// The place of a value on pages.
struct CellPlace {
    /// Whether it stands alone on the page of a row, where it is shown at full length.
    var isAlone = false
    /// The hosts whose images are shown.
    var images = ImageHosts.empty
}
