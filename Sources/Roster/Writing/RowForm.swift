import Bytes
import HTTP
import Listings
import Rendering

/// The form of a row: filled from the row as it stands, and by what a person has typed.
struct RowForm {
    private(set) var document: FormDocument
    /// What is wrong with what was typed.
    private(set) var faults: [Problem.Fault] = []
    private let call: WriteCall
    private let id: String?
    private var rules: RowRules { call.writer.rules }

    /// The empty form of a new row.
    init(creating call: WriteCall) {
        self.call = call
        id = nil
        document = FormDocument(
            .create,
            list: call.list.title,
            listAddress: call.listAddress,
            row: nil,
            address: call.listAddress
        )
        document.fields =
            [FormDocument.Field(ListSchema.idName, label: FormText.id, type: .text)]
            + call.writer.rules.valueColumns.map { Self.field($0, call.writer.rules) }
    }

    /// The form of the row that the endpoint's page shows.
    init(_ purpose: FormDocument.Purpose, ofRow id: String, _ call: WriteCall) {
        self.call = call
        self.id = id
        document = FormDocument(
            purpose,
            list: call.list.title,
            listAddress: call.listAddress,
            row: id,
            address: call.formAddress(purpose, ofRow: id)
        )
        document.tag = tag
        document.fields = rules.valueColumns.map { position in
            var field = Self.field(position, rules)
            field.value = current(position).plainText
            return field
        }
    }

    private static func field(_ position: Int, _ rules: RowRules) -> FormDocument.Field {
        let column = rules.columns[position]
        return FormDocument.Field(
            column.id,
            label: column.label,
            type: column.type,
            isRequired: rules.required.contains(position)
        )
    }

    /// Names the state of the row.
    private var tag: String? {
        guard let id, let revision = call.endpoint.page.revision(ofRow: 0) else { return nil }
        return EntityTag.row(id, revision: revision).opaque
    }

    private func current(_ position: Int) -> CellValue {
        call.endpoint.page.value(row: 0, column: position)
    }

    /// Takes what a person has typed: the change it makes of the row there is.
    ///
    /// What was left as it is stays as it is, so a row that lacks something may be changed
    /// elsewhere.
    mutating func take(_ items: [QueryItems.Item], _ content: RowContent) -> RowChange {
        let id = id ?? ""
        let seen = items.first { $0.name == FormDocument.tagField }?.value
        let revision = seen.flatMap { RowCondition.revision(inOpaque: $0, of: id) }
        document.tag = seen
        let conditions: [RowCondition] = [.isAt(revision.map { [$0] } ?? [])]
        guard document.purpose == .edit else {
            return RowChange(.delete, id: id, conditions: conditions)
        }
        let typed = content.values.filter { $0.value != current($0.key) }
        let change = RowChange(.merge, id: id, values: typed, conditions: conditions)
        show(items, content.faults(of: change))
        return change
    }

    /// Shows what a person has typed, and what is wrong with it.
    mutating func show(_ items: [QueryItems.Item], _ faults: [Problem.Fault]) {
        self.faults = faults
        for index in document.fields.indices {
            let name = document.fields[index].name
            if let item = items.first(where: { $0.name == name }) {
                document.fields[index].value = item.value ?? ""
            }
            document.fields[index].faults = faults.compactMap { fault in
                fault.place == .parameter(name) ? fault.detail : nil
            }
        }
        if !faults.isEmpty { document.message = FormText.notStored(faults.count) }
    }

    /// Shows the row that has changed meanwhile beside what was typed; the page has been read anew.
    mutating func showConflict() {
        document.tag = tag
        document.message =
            document.purpose == .edit ? FormText.changedMeanwhile : FormText.changedBeforeRemoval
        for (position, index) in zip(rules.valueColumns, document.fields.indices) {
            let now = current(position).plainText
            if document.fields[index].value != now { document.fields[index].currentValue = now }
        }
    }
}
