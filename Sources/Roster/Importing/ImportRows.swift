import Database
import Listings
import Rendering

/// Makes changes of the records of a file.
///
/// Columns have the names of the list's; `section`, which exports begin with, says nothing new.
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

    /// Prepares for a file.
    ///
    /// - Parameters:
    ///   - rules: What the rows must be like.
    ///   - verb: What is to be done with a row that has an id.
    ///   - format: The format of the file: in JSON a member that is left out says nothing.
    init(_ rules: RowRules, _ verb: RowChange.Verb, _ format: FileFormat) {
        self.rules = rules
        self.verb = verb
        takesAbsence = format == .json || format == .ndjson
    }

    /// Makes a change of a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - names: The columns known by then.
    /// - Returns: The change, and what is wrong with it.
    mutating func change(
        _ record: borrowing FileRecord,
        _ names: ColumnNames
    ) -> (change: RowChange, faults: [ProgressDocument.Fault]) {
        var faults = learn(names)
        var id: String?
        var values: [Int: CellValue] = [:]
        var unread: Set<Int?> = []
        var places: [Int?: FilePlace] = [:]
        for (position, target) in targets.enumerated() {
            switch target {
            case .nothing: continue
            case .id:
                id = record.text(position).flatMap { $0.isEmpty ? nil : $0 }
                places[Int?.none] = record.place(of: position)
            case .column(let column):
                guard !takesAbsence || record.holds(position) else { continue }
                places[column] = record.place(of: position)
                let type = rules.columns[column].type
                if let value = value(record.text(position), as: type) {
                    values[column] = value
                } else {
                    unread.insert(column)
                    let fault = FieldFault(column: column, .wrongType(type))
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

    /// What a refusal by the list is told as.
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
            if name == ListSchema.idName {
                targets.append(.id)
            } else if let column = rules.columns.firstIndex(where: { $0.id == name }) {
                targets.append(.column(column))
            } else {
                targets.append(.nothing)
                guard name != "section" else { continue }
                var fault = ContentFault(place: .parameter(name), kind: .unknownColumn).fault
                fault.suggestion = Suggestion.nearest(to: name, among: rules.memberNames)
                faults.append(Self.fault(fault, at: names.places[position]))
            }
        }
        return faults
    }

    private func fault(_ fault: FieldFault, at place: FilePlace) -> ProgressDocument.Fault {
        Self.fault(fault.fault(rules, .form), at: place)
    }

    private static func fault(
        _ fault: Problem.Fault,
        at place: FilePlace
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

    /// The value of a text; nil where it is none of the type.
    ///
    /// Nothing between commas is no value, as exports write it.
    private func value(_ text: String?, as type: ColumnType) -> CellValue? {
        guard let text, !text.isEmpty || takesAbsence && type == .text else { return .null }
        guard type == .real else { return CellValue.parse(text, as: type) }
        return FieldValue.real(text.utf8.span).map(CellValue.real)
    }
}
