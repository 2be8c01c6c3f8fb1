import Listings
import Rendering
import TableFiles

/// A converter of file records to row changes.
///
/// File columns have the ids of list columns, or their names in downloads. The column `section`,
/// which downloads of grouped lists begin with, is ignored.
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

    /// Creates a converter for a file.
    ///
    /// - Parameters:
    ///   - rules: The rules for rows.
    ///   - verb: The operation for a row with an ID.
    ///   - format: The format of the file. In JSON, a missing member sets no value.
    init(_ rules: RowRules, _ verb: RowChange.Verb, _ format: FileFormat) {
        self.rules = rules
        self.verb = verb
        takesAbsence = format == .json || format == .ndjson
    }

    /// Converts a record to a change.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - names: The columns found so far.
    /// - Returns: The change and its errors.
    mutating func change(
        _ record: borrowing FileRecord,
        _ names: ColumnNames
    ) -> (change: RowChange, faults: [ProgressDocument.Fault]) {
        var faults = learn(names)
        var id: String?
        var values: [Int: CellValue] = [:]
        var unread: Set<Int?> = []
        var places: [Int?: FileLocation] = [:]
        for (position, target) in targets.enumerated() {
            switch target {
            case .nothing: continue
            case .id:
                id = record.text(position).flatMap { $0.isEmpty ? nil : $0 }
                places[Int?.none] = record.place(of: position)
            case .column(let column):
                guard !takesAbsence || record.holds(position) else { continue }
                places[column] = record.place(of: position)
                if let value = value(record, position, of: rules.columns[column]) {
                    values[column] = value
                } else {
                    unread.insert(column)
                    let fault = FieldValidationError(
                        column: column,
                        .wrongType(rules.columns[column].type)
                    )
                    faults.append(self.fault(fault, at: record.place(of: position)))
                }
            }
        }
        let change = RowChange(id == nil ? .insert : verb, id: id, values: values)
        for fault in rules.faults(in: change) where !unread.contains(fault.column) {
            faults.append(self.fault(fault, at: places[fault.column] ?? record.place))
        }
        return (change, faults)
    }

    /// Returns the errors that report a refusal by the list.
    func faults(
        _ refusal: RowRefusal,
        _ record: borrowing FileRecord,
        list: String
    ) -> [ProgressDocument.Fault] {
        let place = record.place
        return refusal.told(rules, .form, list: list).faults.map { Self.fault($0, at: place) }
    }

    private mutating func learn(_ names: ColumnNames) -> [ProgressDocument.Fault] {
        var faults: [ProgressDocument.Fault] = []
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
                var fault = ContentValidationError(place: .parameter(name), kind: .unknownColumn)
                    .fault
                fault.suggestion = Suggestion.nearest(to: name, among: rules.memberNames)
                faults.append(Self.fault(fault, at: names.places[position]))
            }
        }
        return faults
    }

    private func fault(
        _ fault: FieldValidationError,
        at place: FileLocation
    ) -> ProgressDocument.Fault {
        Self.fault(fault.fault(rules, .form), at: place)
    }

    private static func fault(
        _ fault: Problem.Fault,
        at place: FileLocation
    ) -> ProgressDocument.Fault {
        var field: String?
        if case .parameter(let name) = fault.place { field = name }
        return ProgressDocument.Fault(
            line: place.line,
            column: place.column,
            field: field,
            code: fault.code,
            detail: fault.detail,
            suggestion: fault.suggestion
        )
    }

    /// Returns the value of a field for a column; nil if the column cannot hold it.
    ///
    /// As in exports, an empty field is null, and `""` is the empty text.
    private func value(
        _ record: borrowing FileRecord,
        _ position: Int,
        of column: Column
    ) -> CellValue? {
        guard let text = record.text(position) else { return .null }
        let form = record.form(of: position)
        // A column of one type reads the text as that type, whatever else it looks like.
        guard column.isMixed || form == .container else { return column.value(of: text) }
        let value = record.withField(position) { FieldValue.value($0, form) }
        return column.isMixed || value.kind == column.type.kind ? value : nil
    }
}
