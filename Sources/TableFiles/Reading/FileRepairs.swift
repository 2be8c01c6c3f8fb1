package import Listings

/// A value of which exports have another spelling than its file.
package struct Respelling: Hashable, Sendable {
    package let text: String
    package let exported: String
    /// The number of such values of the column.
    package var count = 0

    init(text: String, exported: String) { (self.text, self.exported) = (text, exported) }
}

package struct FileFindings: Hashable, Sendable {
    package struct Sheet: Hashable, Sendable {
        package let headerRow: Int?
        /// Rows with values before the header.
        package let skippedRows: Int
        /// Cells with an error such as `#N/A`, which are null.
        package let errorCount: Int
        /// Cells with a formula without a saved result, which are null.
        package let unsolvedCount: Int
        /// The columns of an export of Roster, by their names.
        package let columns: [String: ColumnForm]

        package init(
            headerRow: Int?,
            skippedRows: Int,
            errorCount: Int,
            unsolvedCount: Int = 0,
            columns: [String: ColumnForm] = [:]
        ) {
            (self.headerRow, self.skippedRows) = (headerRow, skippedRows)
            (self.errorCount, self.unsolvedCount) = (errorCount, unsolvedCount)
            self.columns = columns
        }
    }

    package var encoding = TextEncoding.utf8
    /// Whether nothing but the letters of the text tells its encoding.
    package var isEncodingGuessed = false
    /// The bytes that are no character in the encoding, each read as U+FFFD.
    package var invalidCharacters = 0
    /// The form of a delimited file, if it is not the usual one of its name.
    package var dialect: DelimitedDialect?
    /// The path of the rows in a JSON document, if it is no array of objects; empty for the document
    /// itself.
    package var rows: String?
    package var json: JSONForm?
    package var jsonShape: JSONShape?
    package var headerDoubt: HeaderDoubt?
    package var sheet: Sheet?
    package var repairs = FileRepairs()
    /// By the positions of the columns, with the first value of each.
    package var respellings: [Int: Respelling] = [:]
    /// The column `id` and the reason why it does not hold the ids of rows, which are numbered.
    package var numbered: FileError?

    package init() {}
}

/// The irregularities of a file that its reader has corrected, each with its first position.
package struct FileRepairs: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// A row has fewer fields than the header; the others are null.
        case shortRow
        /// A row has empty fields after the last column, which are dropped.
        case emptyExtraField
        /// A row has values after the last column, which an option drops.
        case droppedValue
        /// A row has values after the last column, which become further columns by an option.
        case extraColumn
        /// A line is empty and is skipped.
        case blankLine
        /// A line begins with the sign of comments and is skipped.
        case commentLine
        /// A line after the data is no row, such as totals or a remark.
        case footerLine
        /// The last row begins with a word such as `Total`, and is complete.
        case totalsRow
        /// A quotation mark inside an unquoted field, or text after a closing one, is text.
        case strayQuote
        /// A NUL character becomes U+FFFD.
        case nulCharacter
        /// Half of a surrogate pair in JSON becomes U+FFFD.
        case loneSurrogate
        /// `NaN` or an infinite number in JSON is null.
        case nonFinite
        /// The last line of NDJSON has no end and is skipped.
        case unfinishedLine
    }

    package struct Count: Hashable, Sendable {
        package let kind: Kind
        package fileprivate(set) var count: Int
        package let first: FileLocation
    }

    package private(set) var counts: [Count] = []

    package init() {}

    package mutating func add(_ kind: Kind, at location: FileLocation, count: Int = 1) {
        if let index = counts.firstIndex(where: { $0.kind == kind }) {
            counts[index].count += count
        } else {
            counts.append(Count(kind: kind, count: count, first: location))
        }
    }

    package func contains(_ kind: Kind) -> Bool { counts.contains { $0.kind == kind } }
}
