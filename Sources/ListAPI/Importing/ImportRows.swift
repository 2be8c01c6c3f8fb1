import Database
import Listings
import Rendering
import TableFiles

/// File columns have ids or download names of list columns; `section` of downloads is ignored.
struct ImportRows {
    private enum Target {
        case id
        case column(Int)
        case nothing
    }

    private let rules: RowRules
    private let verb: RowChange.Verb
    private let takesAbsence: Bool
    private var targets: [Target] = []
    /// The fields of the file, if each is the id or a column, and their texts are values.
    private var fields: TextFields?

    /// In JSON, a missing member sets no value.
    init(_ rules: RowRules, _ verb: RowChange.Verb, _ format: FileFormat) {
        self.rules = rules
        self.verb = verb
        takesAbsence = format == .json || format == .ndjson
    }

    func columns(_ names: ColumnNames) -> [ProgressDocument.FileColumn] {
        zip(names.all, targets).map { name, target in
            switch target {
            case .id: .init(name: name, label: ListSchema.idName, type: rules.idType)
            case .column(let column):
                .init(
                    name: name,
                    label: rules.columns[column].label,
                    type: rules.columns[column].type
                )
            case .nothing: .init(name: name)
            }
        }
    }

    mutating func change(
        _ record: borrowing FileRecord,
        _ names: ColumnNames
    ) -> (change: RowChange, faults: [Problem.Fault]) {
        var faults = learn(names)
        var id: String?
        var values: [Int: CellValue] = [:]
        values.reserveCapacity(targets.count)
        var unread: Set<Int?> = []
        for (position, target) in targets.enumerated() {
            switch target {
            case .nothing: continue
            case .id:
                id = record.text(position).flatMap { $0.isEmpty ? nil : $0 }
            case .column(let column):
                guard !takesAbsence || record.holds(position) else { continue }
                if let value = value(record, position, of: rules.columns[column]) {
                    values[column] = value
                } else {
                    unread.insert(column)
                    let fault = FieldValidationError(
                        column: column,
                        .wrongType(rules.columns[column].type)
                    )
                    faults.append(fault.fault(rules, .form).at(record.location(of: position)))
                }
            }
        }
        if id == nil, verb != .insert { id = rules.id(of: values) }
        let change = RowChange(id == nil ? .insert : verb, id: id, values: values)
        for fault in rules.faults(in: change) where !unread.contains(fault.column) {
            faults.append(fault.fault(rules, .form).at(location(of: fault.column, record)))
        }
        return (change, faults)
    }

    private func location(of column: Int?, _ record: borrowing FileRecord) -> FileLocation {
        let position = targets.lastIndex { target in
            switch target {
            case .id: column == nil
            case .column(let other): column == other
            case .nothing: false
            }
        }
        return position.map { record.location(of: $0) } ?? record.location
    }

    /// Nil before the first record with these columns was converted.
    func fields(_ names: ColumnNames) -> TextFields? {
        names.all.count == targets.count ? fields : nil
    }

    private mutating func findFields() {
        var id: Int?
        var columns: [Int: Int] = [:]
        for (position, target) in targets.enumerated() {
            switch target {
            case .id: id = position
            case .column(let column): columns[column] = position
            case .nothing: break
            }
        }
        let count = columns.count + (id == nil ? 0 : 1)
        fields =
            !takesAbsence && count == targets.count
            ? TextFields(id: id, columns: columns) : nil
    }

    func faults(
        _ refusal: RowRefusal,
        _ record: borrowing FileRecord,
        list: String
    ) -> [Problem.Fault] {
        let location = record.location
        return refusal.problem(rules, .form, list).faults.map { $0.at(location) }
    }

    private mutating func learn(_ names: ColumnNames) -> [Problem.Fault] {
        guard targets.count < names.all.count else { return [] }
        var faults: [Problem.Fault] = []
        for position in targets.count..<max(targets.count, names.all.count) {
            let name = names.all[position]
            let column =
                rules.columns.firstIndex { $0.id == name }
                ?? rules.columns.firstIndex { $0.fileName == name }
            if name == ListSchema.idName
                || column.map({ rules.columns[$0].id }) == ListSchema.idName
            {
                targets.append(.id)
            } else if let column {
                targets.append(.column(column))
            } else {
                targets.append(.nothing)
                guard name != RowField.sectionName else { continue }
                let suggestion = Suggestion.nearest(to: name, among: rules.memberNames)
                let fault = Problem.Fault.unknownColumn(.parameter(name), suggestion: suggestion)
                faults.append(fault.at(names.locations[position]))
            }
        }
        findFields()
        return faults
    }

    /// As in exports, an empty field is null, and `""` is the empty text.
    private func value(
        _ record: borrowing FileRecord,
        _ position: Int,
        of column: Column
    ) -> CellValue? {
        guard var text = record.text(position) else { return .null }
        var form = record.form(of: position)
        let reading = form == .plain ? column.spelling.map(ColumnReading.spelled) : nil
        if let usual = reading?.usual(text.utf8.span) {
            (text, form) = (String(decoding: usual.text, as: UTF8.self), usual.form)
        }
        // A column of one type reads the text as that type, whatever else it looks like.
        guard column.isMixed || form == .container else { return column.value(of: text) }
        let value = FieldValue.value(text.utf8.span, form)
        return column.isMixed || value.kind == column.type.kind ? value : nil
    }
}
