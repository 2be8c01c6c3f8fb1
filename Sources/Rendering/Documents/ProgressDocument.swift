/// How far an import into a list is, or how it has ended.
package struct ProgressDocument: Sendable {
    /// What is being done, or was.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Another import goes before.
        case waiting
        /// Every row is read and checked; nothing is written.
        case checking
        /// The rows are read again and written; nobody sees them before the last one is.
        case writing
        /// All rows are written.
        case done
        /// Something was wrong; nothing is written.
        case failed
        /// Somebody wanted it no longer; nothing is written.
        case interrupted

        /// Whether it goes on.
        package var isRunning: Bool { self == .waiting || self == .checking || self == .writing }
    }

    /// What is wrong with a row.
    package struct Fault: Hashable, Sendable {
        /// The line of the content, from 1.
        package var line: Int
        /// The character of the line, from 1.
        package var column: Int
        /// The column of the list, or `id`; nil for what is wrong with the content itself.
        package var field: String?
        /// The fault for programs.
        package var code: String
        /// The fault for people.
        package var detail: String
        /// What was probably meant.
        package var suggestion: String?

        /// Describes a fault.
        package init(
            line: Int,
            column: Int,
            field: String? = nil,
            code: String,
            detail: String,
            suggestion: String? = nil
        ) {
            self.line = line
            self.column = column
            self.field = field
            self.code = code
            self.detail = detail
            self.suggestion = suggestion
        }
    }

    /// What became of rows, or would have: nothing is written before all is.
    package struct Rows: Hashable, Sendable {
        /// Those read in this state.
        package var read = 0
        /// Those that were not there.
        package var inserted = 0
        /// Those that were there and have other values.
        package var replaced = 0
        /// Those that were there and are as they were.
        package var unchanged = 0
        /// Those that cannot be written.
        package var refused = 0

        /// Nothing yet.
        package init() {}
    }

    /// The name of the list.
    package var list: String
    /// The title of the list.
    package var title: String
    /// What is being done, or was.
    package var state: State
    /// What became of rows.
    package var rows: Rows
    /// The bytes of the content read in this state.
    package var bytes: Int
    /// The bytes of the content.
    package var totalBytes: Int
    /// The rows read in a second; nil where that is not known yet, or it has ended.
    package var rowsPerSecond: Int?
    /// How long this state is going to take yet; nil where ``rowsPerSecond`` is.
    package var secondsLeft: Int?
    /// Why it failed; nil where it did not, or the faults say why.
    package var detail: String?
    /// What is wrong with rows, the first ones.
    package var faults: [Fault]
    /// The address of this document.
    package var address: String
    /// The address of the list.
    package var listAddress: String

    /// Describes an import that has not begun.
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
