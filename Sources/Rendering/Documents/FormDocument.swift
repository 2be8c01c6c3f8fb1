package import Listings

package struct FormDocument: Sendable {
    package struct Field: Sendable {
        package var name: String
        package var label: String?
        package var type: ColumnType
        package var control: FieldControl
        package var value = FormValue("")
        /// The label of the row that the value names.
        package var valueLabel: String?
        package var isRequired: Bool
        /// Whether the list makes a value where there is none.
        package var isMade = false
        package var offersEmptyText: Bool {
            type == .text && label != nil && !isRequired && !control.isClosed
        }
        package var faults: [Text] = []
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
            control = FieldControl(type)
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

    package enum Choice: String, Sendable {
        case mine
        case theirs
    }

    package enum Purpose: Hashable, Sendable {
        case create
        case edit
        case remove
    }

    package static func success(_ purpose: Purpose, in language: PageLanguage) -> String {
        let texts = language.texts
        return switch purpose {
        case .create: texts("Added")
        case .edit: texts("Saved")
        case .remove: texts("Deleted")
        }
    }

    package static func success(
        _ purpose: Purpose,
        ofRows count: Int,
        in language: PageLanguage
    ) -> String {
        let texts = language.texts
        let number = texts.number(count)
        return purpose == .remove ? texts("\(number) removed") : texts("\(number) changed")
    }

    package enum Notice: Hashable, Sendable {
        case nothingGiven
        case notStored(Int)
        case changedMeanwhile
        case changedBeforeRemoval
        case undecided
    }

    package var purpose: Purpose
    package var list: String
    package var listAddress: String
    package var about = ListAbout()
    package var row: String?
    package var address: String
    package var editAddress: String?
    package var notice: Notice?
    package var fields: [Field] = []
    package var tag: String?
    /// The digests of the values that the user has seen, sent under ``baseField``.
    package var base: String?

    /// The field name of the entity tag, which no column has.
    package static let tagField = "form__tag"
    package static let baseField = "form__base"
    /// The name of the boxes that select an empty text instead of no value.
    package static let emptyField = "form__empty"
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
