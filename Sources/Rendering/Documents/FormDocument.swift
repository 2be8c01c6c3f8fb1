package import Listings

/// A page on which a person writes a row, or says that it is to go.
package struct FormDocument: Sendable {
    /// One value.
    package struct Field: Sendable {
        /// The name that is sent.
        package var name: String
        /// The name people read.
        package var label: String
        /// What is asked for.
        package var type: ColumnType
        /// The value as a person types it.
        package var value: String
        /// Whether a value is needed.
        package var isRequired: Bool
        /// What is wrong with the value, one text for each fault.
        package var faults: [String] = []
        /// The value that the row has meanwhile, where it is another one.
        package var currentValue: String?

        /// Creates a field.
        package init(
            _ name: String,
            label: String,
            type: ColumnType,
            value: String = "",
            isRequired: Bool = false
        ) {
            self.name = name
            self.label = label
            self.type = type
            self.value = value
            self.isRequired = isRequired
        }
    }

    /// What is done when the form is sent.
    package enum Purpose: Hashable, Sendable {
        /// A row is created.
        case create
        /// A row is changed.
        case edit
        /// A row is removed.
        case remove
    }

    /// What is done when the form is sent.
    package var purpose: Purpose
    /// The title of the list.
    package var list: String
    /// The address of the list, where a person goes who changes their mind.
    package var listAddress: String
    /// What the row is called; nil for one that is not there yet.
    package var row: String?
    /// Where the form is sent to.
    package var address: String
    /// Why the form is shown again; nil the first time.
    package var message: String?
    /// Values in their order.
    package var fields: [Field] = []
    /// The state of the row that the person has seen; nil where there is none.
    package var tag: String?

    /// The name that the state of the row is sent under; no column has it.
    package static let tagField = "form__tag"

    /// Creates a form.
    package init(
        _ purpose: Purpose,
        list: String,
        listAddress: String,
        row: String?,
        address: String
    ) {
        self.purpose = purpose
        self.list = list
        self.listAddress = listAddress
        self.row = row
        self.address = address
    }
}
