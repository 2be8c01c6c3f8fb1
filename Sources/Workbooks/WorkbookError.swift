package import Archives

package enum WorkbookError: Error, Hashable, Sendable {
    package enum XMLError: Hashable, Sendable {
        /// The document is not well-formed. The text is expat's.
        case syntax(String)
        /// The document has a document type, which could declare entities.
        case documentType
        case tooDeep(limit: Int)
        /// In bytes.
        case tagTooLong(limit: Int)
    }

    package enum CellError: Hashable, Sendable {
        case reference(String)
        /// The row or cell does not follow those before it.
        case order
        case rowLimit(Int)
        case columnLimit(Int)
        /// The row has more values than a list has columns.
        case tooManyValues(limit: Int)
        /// In bytes.
        case valueTooLarge(limit: Int)
        /// In bytes.
        case rowTooLarge(limit: Int)
        case sharedString(String)
        case format(String)
        case number(String)
    }

    case archive(ArchiveError)
    case missingLibrary
    case xml(XMLError, part: String, line: Int, column: Int)
    case notAWorkbook
    case binary
    case missingPart(String)
    /// In bytes.
    case partTooLarge(String, limit: Int)
    /// In bytes.
    case sharedStringsTooLarge(limit: Int)
    case missingSheet(String)
    case changed
    /// A cell of a sheet is wrong, at a row and a column from 1.
    case cell(CellError, row: Int, column: Int)

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
