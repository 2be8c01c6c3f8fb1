import Bytes
import HTTP
import Listings
import Rendering

struct RowForm {
    private(set) var document: FormDocument
    let write: WriteCall
    private let id: String?
    private var rules: RowRules { write.writer.rules }

    init(creating write: WriteCall) {
        self.write = write
        id = nil
        document = FormDocument(
            .create,
            list: write.list.title,
            listAddress: write.listAddress,
            row: nil,
            address: write.listAddress
        )
        document.about = write.list.about
        let idField = FormDocument.Field(ListSchema.idName, label: nil, type: .text)
        // A column that is the id has its own field.
        let key = rules.keyColumns.filter { $0 != write.endpoint.schema.idColumn }
        let takesID = key.isEmpty && rules.operations.contains(.put)
        document.fields = (takesID ? [idField] : []) + Self.fields(rules, write.endpoint.schema)
        for position in document.fields.indices where !document.fields[position].isRequired {
            let name = document.fields[position].name
            document.fields[position].isMade = key.contains { rules.columns[$0].id == name }
        }
    }

    init(_ purpose: FormDocument.Purpose, ofRow id: String, _ write: WriteCall) {
        self.write = write
        self.id = id
        document = FormDocument(
            purpose,
            list: write.list.title,
            listAddress: write.listAddress,
            row: write.endpoint.page.title(ofRow: 0),
            address: write.formAddress(purpose, ofRow: id)
        )
        document.about = write.list.about
        if purpose == .remove { document.editAddress = write.formAddress(.edit, ofRow: id) }
        document.tag = revision.map { EntityTag.row(id, revision: $0).opaque }
        document.fields = Self.fields(rules, write.endpoint.schema)
        for (field, position) in zip(document.fields.indices, Self.columns(rules)) {
            let isEmptyText = current(position) == .text("")
            document.fields[field].value = FormValue(
                current(position).plainText,
                isEmptyText: isEmptyText && document.fields[field].offersEmptyText
            )
        }
        if purpose == .edit { document.base = FormBase(document.fields.map(\.value)).text }
    }

    private static func columns(_ rules: RowRules) -> [Int] {
        // A form takes no bytes; a required column shows that a value is missing.
        rules.givenColumns.filter {
            rules.columns[$0].type != .bytes || rules.required.contains($0)
        }
    }

    private static func fields(
        _ rules: RowRules,
        _ schema: ListSchema
    ) -> [FormDocument.Field] {
        columns(rules).map { position in
            var field = FormDocument.Field(
                rules.columns[position].id,
                label: schema.columns[position].label,
                type: rules.columns[position].type,
                isRequired: rules.required.contains(position)
            )
            field.control = FieldControl(schema.columns[position])
            return field
        }
    }

    /// Offers the rows of other lists that the caller may read, and texts of columns with few.
    mutating func offer(_ lookups: [Lookup], _ addresses: Address) {
        guard document.purpose != .remove else { return }
        // A form without labels still has the values.
        if id != nil { try? write.endpoint.label(&write.endpoint.page, lookups) }
        let controls = write.endpoint.controls(lookups, addresses)
        for index in document.fields.indices {
            let field = document.fields[index]
            guard let control = controls[field.name] else { continue }
            document.fields[index].control = control
            guard id != nil, let column = write.endpoint.schema.index(of: field.name),
                current(column).plainText == field.value.text
            else { continue }
            document.fields[index].valueLabel =
                write.endpoint.page.labels[column]?[current(column)]?.text
        }
    }

    private var revision: Int64? { write.endpoint.page.revision(ofRow: 0) }

    private func current(_ position: Int) -> CellValue {
        write.endpoint.page.value(row: 0, column: position)
    }

    func change(_ verb: RowChange.Verb, _ values: [Int: CellValue] = [:]) -> RowChange {
        let conditions: [RowCondition] = [.isAt(revision.map { [$0] } ?? [])]
        return RowChange(verb, id: id, values: values, conditions: conditions)
    }

    func isCurrent(_ items: [QueryItems.Item]) -> Bool {
        let seen = items.first { $0.name == FormDocument.tagField }?.value
        return seen != nil && seen == document.tag
    }

    mutating func refuseRemoval() { document.notice = .changedBeforeRemoval }

    /// A field that only the person changed is written, one that only another changed stays.
    ///
    /// The person chooses where both changed it; nil where the notice has to be shown first.
    mutating func merge(_ items: [QueryItems.Item]) -> [QueryItems.Item]? {
        let base = items.first { $0.name == FormDocument.baseField }?.value.flatMap {
            FormBase($0, columnCount: document.fields.count)
        }
        let isCurrent = isCurrent(items)
        var unwritten: Set<String> = []
        for position in document.fields.indices {
            let field = document.fields[position]
            let now = field.value
            let sent = items.filter { $0.name == field.name }
            let choices = items.filter { $0.name == FormDocument.choiceField + field.name }
            let choice = choices.last?.value.flatMap(FormDocument.Choice.init)
            let mine = sent.first.map { field.value(of: $0, items) } ?? now
            // Without a base, both may have changed every field that differs.
            let isMine =
                choice != .theirs && mine != now && base?.holds(mine, at: position) != true
            let isTheirs = base.map { !$0.holds(now, at: position) } ?? (isMine && !isCurrent)
            if isMine {
                document.fields[position].value = mine
            } else if sent.count < 2 {
                unwritten.insert(field.name)
            }
            if isTheirs {
                document.notice = .changedMeanwhile
                document.fields[position].difference =
                    isMine ? .both(current: now, choice: nil) : .taken
            } else if isMine, !choices.isEmpty {
                document.fields[position].difference = .both(current: now, choice: choice)
                if choice == nil, document.notice == nil { document.notice = .undecided }
            }
        }
        guard document.notice == nil else { return nil }
        return items.filter { !unwritten.contains($0.name) }.map(restoringLineBreaks)
    }

    private func restoringLineBreaks(_ item: QueryItems.Item) -> QueryItems.Item {
        guard let value = item.value,
            let position = rules.columns.firstIndex(where: { $0.id == item.name })
        else { return item }
        let restored = LineBreaks.restored(value, from: current(position).plainText)
        return QueryItems.Item(name: item.name, value: restored)
    }

    mutating func show(_ items: [QueryItems.Item], _ faults: [Problem.Fault]) {
        for index in document.fields.indices {
            let field = document.fields[index]
            guard let item = items.first(where: { $0.name == field.name }) else { continue }
            document.fields[index].value = field.value(of: item, items)
        }
        mark(faults)
        if faults.isEmpty { document.notice = .nothingGiven }
    }

    mutating func mark(_ faults: [Problem.Fault]) {
        for index in document.fields.indices {
            let location = Problem.Fault.Location.parameter(document.fields[index].name)
            document.fields[index].faults = faults.filter { $0.location == location }.map(\.detail)
        }
        if !faults.isEmpty { document.notice = .notStored(faults.count) }
    }
}

extension FormDocument.Field {
    fileprivate func value(of item: QueryItems.Item, _ items: [QueryItems.Item]) -> FormValue {
        let box = QueryItems.Item(name: FormDocument.emptyField, value: name)
        return FormValue(item.value ?? "", isEmptyText: offersEmptyText && items.contains(box))
    }
}
