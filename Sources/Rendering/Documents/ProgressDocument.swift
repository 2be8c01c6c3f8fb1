package import Listings

/// The progress or the result of an import into a list.
package struct ProgressDocument: Sendable {
    /// The state of an import.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Another import runs first.
        case waiting
        /// Every row is read and checked. Nothing is written.
        case checking
        /// The rows are read again and written. They become visible together at the end.
        case writing
        /// All rows of a preview can be written. Nothing is written.
        case checked
        /// All rows are written.
        case done
        /// The import failed. Nothing is written.
        case failed
        /// The import was cancelled. Nothing is written.
        case interrupted

        /// Whether the import is still running.
        package var isRunning: Bool { self == .waiting || self == .checking || self == .writing }
    }

    package struct FileColumn: Hashable, Sendable {
        package let name: String
        /// The label of the list's column, or nil if the list has no such column.
        package let label: String?
        /// The type of the list's column.
        package let type: ColumnType?

        package init(name: String, label: String? = nil, type: ColumnType? = nil) {
            self.name = name
            self.label = label
            self.type = type
        }
    }

    /// The numbers of rows by effect.
    ///
    /// Nothing is written before all rows are.
    package struct Rows: Hashable, Sendable {
        /// The rows read in this state.
        package var read = 0
        /// The new rows.
        package var inserted = 0
        /// The existing rows with changed values.
        package var replaced = 0
        /// The existing rows without changes.
        package var unchanged = 0
        /// The rows that cannot be written.
        package var refused = 0

        /// Creates numbers that are all zero.
        package init() {}
    }

    /// The name of the list.
    package var list: String
    /// The title of the list.
    package var title: String
    /// The state of the import.
    package var state: State
    /// The numbers of rows.
    package var rows: Rows
    /// The number of bytes read in this state.
    package var bytes: Int
    /// The size of the file in bytes.
    package var totalBytes: Int
    /// The rows read per second, or nil if not known yet or if the import has ended.
    package var rowsPerSecond: Int?
    /// The estimated remaining seconds of this state, or nil if ``rowsPerSecond`` is nil.
    package var secondsLeft: Int?
    /// The reason of a failure, or nil if there is none or the errors give it.
    package var detail: Text?
    /// The first errors of rows.
    package var faults: [Problem.Fault]
    /// The columns of a file that a preview reads.
    package var columns: [FileColumn] = []
    /// The first rows of the file, with nil for missing values.
    package var sample: [[String?]] = []
    /// Whether a request begins the import of the checked file.
    package var mayBegin = false
    package var address: String
    package var listAddress: String

    /// Creates the progress of an import that has not started.
    package init(list: String, title: String, totalBytes: Int, address: String, listAddress: String)
    {
        self.list = list
        self.title = title
        self.totalBytes = totalBytes
        self.address = address
        self.listAddress = listAddress
        state = .waiting
        rows = Rows()
        bytes = 0
        faults = []
    }
}
