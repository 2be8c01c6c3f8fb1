package import Archives

package enum WorkbookError: Error, Hashable, Sendable {
    /// A violation of XML or of its bounds.
    package enum XMLError: Hashable, Sendable {
        /// The document is not well-formed. The text is expat's.
        case syntax(String)
        /// The document has a document type, which could declare entities.
        case documentType
        /// Elements are nested deeper than the limit.
        case tooDeep(limit: Int)
        /// A tag is longer than the limit, in bytes.
        case tagTooLong(limit: Int)
    }

    /// An error in a cell or row.
    package enum CellError: Hashable, Sendable {
        /// The text is no reference such as `B7`.
        case reference(String)
        /// The row or cell does not follow those before it.
        case order
        /// The row is beyond the last one of the format.
        case rowLimit(Int)
        /// The column is beyond the last one of the format.
        case columnLimit(Int)
        /// The row has more values than a list has columns.
        case tooManyValues(limit: Int)
        /// The value is larger than the limit, in bytes.
        case valueTooLarge(limit: Int)
        /// The values of the row are larger than the limit, in bytes.
        case rowTooLarge(limit: Int)
        /// The workbook has no shared text of the number.
        case sharedString(String)
        /// The workbook has no cell format of the number.
        case format(String)
        /// The text is no number.
        case number(String)
    }

    /// The archive that the workbook is failed.
    case archive(ArchiveError)
    /// The library libexpat is not installed.
    case missingLibrary
    /// A part of the workbook violates XML.
    case xml(XMLError, part: String, line: Int, column: Int)
    /// The archive has no workbook.
    case notAWorkbook
    /// The workbook is stored in the binary form of Excel.
    case binary
    /// A part that another one names is missing.
    case missingPart(String)
    /// A part that is held in memory is larger than the limit, in bytes.
    case partTooLarge(String, limit: Int)
    /// The shared texts are larger than the limit, in bytes.
    case sharedStringsTooLarge(limit: Int)
    /// The workbook has no sheet of the name.
    case missingSheet(String)
    /// The file changed between two readings.
    case changed
    /// A cell of a sheet is wrong, at a row and a column from 1.
    case cell(CellError, row: Int, column: Int)

    /// Runs a closure that uses the archive, and converts its errors.
    static func ofArchive<R>(
        _ body: () throws(ArchiveError) -> R
    ) throws(WorkbookError) -> R {
        do {
            return try body()
        } catch {
            throw .archive(error)
        }
    }
}
