import Database
import Listings
import TableFiles

/// The changes of a transaction, which are saved in the file of the list before the commit.
final class FileEdits {
    let saver: FileSaver
    private let form: FileForm
    private let rules: RowRules
    /// Of the columns of the list; nil for those that the file lacks.
    private let positions: [Int?]
    private var log: [(id: String, edit: RowEdit)] = []

    init(_ saver: FileSaver, _ table: TableDescription, _ rules: RowRules) throws(WriteError) {
        guard let form = saver.form else { throw .busy }
        (self.saver, self.form, self.rules) = (saver, form, rules)
        positions = rules.columns.indices.map { form.positions[table.columns[$0].name] }
        for (column, position) in positions.enumerated() {
            guard let position else { continue }
            guard form.columns[position].type == rules.columns[column].type else {
                saver.describeAgain()
                throw .redefined
            }
        }
    }

    var count: Int { log.count }

    func removeLast(from count: Int) { log.removeSubrange(count...) }

    /// The id that the values have; nil if the list makes one.
    func id(of values: [Int: CellValue]) -> String? {
        let parts = form.keyColumns.compactMap { column in
            positions.firstIndex(of: column).flatMap { values[$0] }
        }
        guard !parts.isEmpty, parts.count == form.keyColumns.count,
            !parts.contains(where: \.isNull)
        else { return nil }
        return parts.count == 1
            ? parts[0].plainText : CompositeID.text(of: parts.map { .text($0.plainText) })
    }

    func refusal(ofInserting id: String?, _ values: [Int: CellValue]) -> RowRefusal? {
        var errors: [FieldValidationError] = []
        if form.isNumbered, let id, !saver.hasRemoved(id) {
            errors.append(
                FieldValidationError(
                    column: nil,
                    .refused("The file of the list numbers its rows: leave the id out.")
                )
            )
        }
        if !form.keyColumns.isEmpty, id == nil || id != self.id(of: values) {
            let reason = "The id is made of the columns that the key names, which need values."
            errors.append(FieldValidationError(column: nil, .refused(reason)))
        }
        if let id, form.idColumn != nil, let reason = form.obstacle(to: .text(id)) {
            errors.append(FieldValidationError(column: nil, reason))
        }
        errors += obstacles(to: values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        return errors.isEmpty ? nil : .invalid(errors)
    }

    func refusal(ofChanging values: [(column: Int, value: CellValue)]) -> RowRefusal? {
        var errors = obstacles(to: values)
        for (column, _) in values {
            guard let position = positions[column], form.keyColumns.contains(position) else {
                continue
            }
            let reason = "The value identifies the row, so that it stays."
            errors.append(FieldValidationError(column: column, .refused(reason)))
        }
        return errors.isEmpty ? nil : .invalid(errors)
    }

    private func obstacles(
        to values: [(column: Int, value: CellValue)]
    ) -> [FieldValidationError] {
        values.compactMap { column, value in
            let reason =
                positions[column] == nil
                ? .refused("The file of the list has no such column.")
                : form.obstacle(to: value, at: positions[column])
            return reason.map { FieldValidationError(column: column, $0) }
        }
    }

    func noteInsert(_ id: String, _ values: [Int: CellValue]) {
        var all = inFile(rules.valueColumns.map { ($0, values[$0] ?? .null) })
        if let column = form.idColumn {
            let type = form.omitted.contains(column) ? .text : rules.idType
            all[column] = .id(id, as: type) ?? .text(id)
        }
        log.append((id, RowEdit(.insert, all)))
    }

    func noteChange(_ id: String, _ values: [(column: Int, value: CellValue)]) {
        log.append((id, RowEdit(.change, inFile(values))))
    }

    func noteDeletion(_ id: String) { log.append((id, RowEdit(.delete))) }

    private func inFile(_ values: [(column: Int, value: CellValue)]) -> [Int: CellValue] {
        var found: [Int: CellValue] = [:]
        for (column, value) in values {
            if let position = positions[column] { found[position] = value }
        }
        return found
    }

    /// Saves the file, and then commits.
    func commit(_ connection: DatabaseConnection) throws(WriteError) {
        let edits = netEdits()
        guard !edits.isEmpty else {
            return try WriteError.ofDatabase { () throws(SQLiteError) in try connection.commit() }
        }
        try saver.save(edits, of: positions, connection)
        do throws(SQLiteError) {
            try connection.commit()
        } catch {
            // The changes are durable, and the next write or the watcher reads them.
            connection.rollback()
            saver.forget()
        }
    }

    /// One for each row, in the order of the first changes.
    private func netEdits() -> [(id: String, edit: RowEdit)] {
        var order: [String] = []
        var edits: [String: RowEdit] = [:]
        for (id, edit) in log {
            guard var earlier = edits[id] else {
                order.append(id)
                edits[id] = edit
                continue
            }
            switch (earlier.kind, edit.kind) {
            // A row that is inserted and deleted is not in the file.
            case (.insert, .delete):
                edits[id] = nil
                order.removeAll { $0 == id }
                continue
            case (.delete, .insert): earlier = RowEdit(.change, edit.values)
            case (_, .delete): earlier = edit
            default: earlier.values.merge(edit.values) { $1 }
            }
            edits[id] = earlier
        }
        return order.compactMap { id in edits[id].map { (id, $0) } }
    }
}
