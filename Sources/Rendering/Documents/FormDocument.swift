package import Listings

/// A page with a form to create, edit or remove a row.
package struct FormDocument: Sendable {
    /// A value of the form.
    package struct Field: Sendable {
        package var name: String
        /// The label for people, or nil for the id.
        package var label: String?
        /// The type of the value.
        package var type: ColumnType
        /// The value as a user types it.
        package var value = FormValue("")
        /// Whether a value is required.
        package var isRequired: Bool
        /// Whether the user can choose between an empty text and no value.
        package var offersEmptyText: Bool { type == .text && label != nil && !isRequired }
        /// The errors of the value as texts.
        package var faults: [Text] = []
        /// The change that another writer has made since the form was opened.
        package var difference: Difference?

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
        /// The user did not change the field, so it shows the new value.
        case taken
        /// Both changed the value. The field shows the typed value, and the user chooses.
        case both(current: FormValue, choice: Choice?)
    }

    /// The user's choice between two values.
    package enum Choice: String, Sendable {
        /// The typed value.
        case mine
        /// The value of the row.
        case theirs
    }

    package enum Purpose: Hashable, Sendable {
        /// The form creates a row.
        case create
        /// The form changes a row.
        case edit
        /// The form removes a row.
        case remove
    }

    /// Returns the message that a form was performed, in a language.
    package static func success(_ purpose: Purpose, in language: PageLanguage) -> String {
        let texts = language.texts
        return purpose == .remove ? texts("Deleted") : texts("Saved")
    }

    /// Returns the message that a form was performed for a number of rows, in a language.
    package static func success(
        _ purpose: Purpose,
        ofRows count: Int,
        in language: PageLanguage
    ) -> String {
        let texts = language.texts
        let number = texts.number(count)
        return purpose == .remove ? texts("\(number) removed") : texts("\(number) changed")
    }

    /// The reason for which a form is shown again without writing.
    package enum Notice: Hashable, Sendable {
        /// No field has a value.
        case nothingGiven
        /// This number of errors prevents storing the row.
        case notStored(Int)
        /// Another writer has changed the row since the form was opened.
        case changedMeanwhile
        /// Another writer has changed the row before its removal.
        case changedBeforeRemoval
        /// A choice between two values is missing.
        case undecided
    }

    package var purpose: Purpose
    /// The title of the list.
    package var list: String
    /// The address of the list, for users who cancel.
    package var listAddress: String
    /// Whether the change is lost when the process stops.
    package var losesEdits = false
    /// The name of the row, or nil for a new row.
    package var row: String?
    /// The address that the form is sent to.
    package var address: String
    /// The address of the form that changes the row, for a form that removes it.
    package var editAddress: String?
    /// The reason for which the form is shown again, or nil the first time.
    package var notice: Notice?
    /// The fields in order.
    package var fields: [Field] = []
    /// The entity tag of the row that the user has seen, or nil.
    package var tag: String?
    /// The digests of the values that the user has seen, sent under ``baseField``.
    package var base: String?

    /// The field name of the entity tag, which no column has.
    package static let tagField = "form__tag"
    /// The field name of the digests of the seen values.
    package static let baseField = "form__base"
    /// The name of the boxes that select an empty text instead of no value.
    package static let emptyField = "form__empty"
    /// The prefix of the names of choices, before the name of the column.
    package static let choiceField = "form__choice__"

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
