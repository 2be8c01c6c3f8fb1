extension PageText {
    static let writing = "Writing"
    static let add = "Add"
    static let edit = "Edit"
    static let remove = "Delete"
    static let cancel = "Cancel"
    static let needed = "needed"

    /// Says how the rows of a list are written.
    static func writing(_ writing: SchemaDocument.Writing, list: String) -> String {
        let required = writing.required.joined(separator: ", ")
        return "POST \(list) creates a row, PUT, PATCH and DELETE \(list)/ID replace, change and "
            + "remove one, POST \(writing.rowsAddress) takes an array of rows."
            + (required.isEmpty ? "" : " Every row needs \(required).")
            + (writing.requiresCondition ? " A change names the row's entity tag in If-Match." : "")
    }

    static func title(of form: FormDocument) -> String {
        switch (form.purpose, form.row) {
        case (.create, _), (_, nil): "Add to \(form.list)"
        case (.edit, let row?): "Edit \(row)"
        case (.remove, let row?): "Delete \(row)?"
        }
    }

    static func button(of purpose: FormDocument.Purpose) -> String {
        switch purpose {
        case .create: add
        case .edit: "Save"
        case .remove: remove
        }
    }

    /// The value that a row has got while a person was typing another one.
    static func now(_ value: String) -> String { value.isEmpty ? "Now empty." : "Now: \(value)" }
}
