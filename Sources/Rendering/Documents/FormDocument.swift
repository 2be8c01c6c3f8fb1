package import Listings

/// A page on which a person writes a row, or says that it is to go.
package struct FormDocument: Sendable {
    /// One value.
    package struct Field: Sendable {
        /// The name that is sent.
        package var name: String
        /// The name people read; nil for the id.
        package var label: String?
        /// The type of the value.
        package var type: ColumnType
        /// The value as a person types it.
        package var value = FormValue("")
        /// Whether a value is needed.
        package var isRequired: Bool
        /// Whether a person can choose between an empty text and no value.
        package var offersEmptyText: Bool { type == .text && label != nil && !isRequired }
        /// What is wrong with the value, one text for each fault.
        package var faults: [String] = []
        /// The difference that another writer has made since the form was opened.
        package var difference: Difference?

        /// Creates a field.
        package init(
            _ name: String,
            label: String?,
            type: ColumnType,
            isRequired: Bool = false
        ) {
            self.name = name
            self.label = label
            self.type = type
            self.isRequired = isRequired
        }
    }

    /// A change of a value that another writer made while the form was open.
    package enum Difference: Sendable {
        /// The person left the field alone; it shows the new value.
        case taken
        /// Both changed it. The field shows the typed value, and the person chooses.
        case both(current: FormValue, choice: Choice?)
    }

    /// The value that a person wants of two.
    package enum Choice: String, Sendable {
        /// The one that the person has typed.
        case mine
        /// The one that the row has.
        case theirs
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

    /// The reason why a form is shown again; nothing was written.
    package enum Notice: Hashable, Sendable {
        /// No field has a value.
        case nothingGiven
        /// Some faults keep the row from being stored.
        case notStored(Int)
        /// Another writer has changed the row since the form was opened.
        case changedMeanwhile
        /// The same, before the row is removed.
        case changedBeforeRemoval
        /// A choice between two values is missing.
        case undecided
    }

    /// What is done when the form is sent.
    package var purpose: Purpose
    /// The title of the list.
    package var list: String
    /// The address of the list, where a person goes who changes their mind.
    package var listAddress: String
    /// The name of the row; nil for one that is not there yet.
    package var row: String?
    /// The address that the form is sent to.
    package var address: String
    /// The reason why the form is shown again; nil the first time.
    package var notice: Notice?
    /// Values in their order.
    package var fields: [Field] = []
    /// The state of the row that the person has seen; nil where there is none.
    package var tag: String?
    /// The values that the person has seen, as ``baseField`` carries them.
    package var base: String?

    /// The name that the state of the row is sent under; no column has it.
    package static let tagField = "form__tag"
    /// The name that digests of the seen values are sent under.
    package static let baseField = "form__base"
    /// The name of the boxes that say which columns get an empty text and not no value.
    package static let emptyField = "form__empty"
    /// The beginning of the names of choices; the name of the column follows.
    package static let choiceField = "form__choice__"

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
