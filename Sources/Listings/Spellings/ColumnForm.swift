/// The type of a column, the format of its numbers and the spelling of its values.
///
/// As text: `real`, `real currency:EUR` and, after a tab, `number -1.234.567,5 €`.
package struct ColumnForm: Hashable, Sendable {
    package let type: ColumnType
    package let format: ColumnFormat?
    package let spelling: ColumnSpelling?

    package init(of column: Column) {
        (type, format, spelling) = (column.type, column.format, column.spelling)
    }

    /// Texts of other versions are those of a text column, or have no format or spelling.
    package init(_ text: String) {
        let halves = text.split(separator: "\t", maxSplits: 1).map(String.init)
        let parts = (halves.first ?? "").split(separator: " ", maxSplits: 1).map(String.init)
        type = parts.first.flatMap(ColumnType.init) ?? .text
        let format = parts.count == 2 ? ColumnFormat(parts[1]) : nil
        self.format = format?.suits(type) == true ? format : nil
        spelling = halves.count == 2 ? ColumnSpelling(sample: halves[1]) : nil
    }

    package var text: String {
        type.rawValue + (format.map { " \($0.text)" } ?? "")
            + (spelling.map { "\t\($0.sample)" } ?? "")
    }
}
