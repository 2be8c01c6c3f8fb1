import Bytes
import Database
import Listings

/// Texts that the list may spell otherwise, or refuse, are left to ``RowRules``.
struct CopiedTexts {
    private enum Kind {
        case text, integer, date
    }

    private struct Step {
        let field: Int
        let kind: Kind
        var isRequired = false
        var maximumBytes = Int.max
    }

    let fields: TextFields
    let shape: StagedSQL.Shape?
    private let steps: [Step]

    init(_ fields: TextFields, _ sql: StagedSQL, _ rules: RowRules) {
        self.fields = fields
        var shape = StagedSQL.Shape(verb: .insert)
        var steps: [Step] = []
        if let id = fields.id {
            shape.key = .staged
            if sql.keyTypes.count == 1, let kind = Self.kind(sql.keyTypes[0], rules.idType) {
                steps.append(
                    Step(
                        field: id,
                        kind: kind,
                        isRequired: true,
                        maximumBytes: RowRules.maximumIDBytes
                    )
                )
            }
        }
        for column in sql.columns {
            guard let field = fields.columns[column.position] else { continue }
            let shown = rules.columns[column.position]
            guard column.takesValues, !shown.isMixed, fields.id == nil || column.keyPart == nil,
                let kind = Self.kind(.plain(column.type), shown.type)
            else { continue }
            let isRequired = rules.required.contains(column.position)
            steps.append(Step(field: field, kind: kind, isRequired: isRequired))
            shape.columns.append(column.position)
        }
        let hasKey =
            fields.id != nil
            || sql.columns.count { column in
                column.keyPart != nil && fields.columns[column.position] != nil
            } == sql.keyTypes.count
        let isWhole = steps.count == fields.columns.count + (fields.id == nil ? 0 : 1)
        self.shape = hasKey && isWhole ? shape : nil
        self.steps = steps
    }

    private static func kind(_ type: KeyType, _ shown: ColumnType) -> Kind? {
        switch (type, shown) {
        case (.plain(.text), .text), (.plain(.varchar), .text), (.plain(.bytewise), .text): .text
        case (.plain(.int2), .integer), (.plain(.int4), .integer), (.plain(.int8), .integer):
            .integer
        case (.plain(.date), .date): .date
        default: nil
        }
    }

    /// False if a text must be converted.
    func append(
        _ texts: borrowing Span<UInt8>,
        _ range: (Int) -> Range<Int>?,
        to bytes: inout ByteBuffer
    ) -> Bool {
        for step in steps {
            guard let range = range(step.field) else {
                if step.isRequired { return false }
                bytes.append(#"\N"#)
                bytes.append(UInt8(ascii: "\t"))
                continue
            }
            let text = texts.extracting(range)
            switch step.kind {
            case .text:
                // A text of white space counts as none.
                let isVisible = !text.isEmpty && (0x21...0x7E).contains(text[0])
                guard text.count <= step.maximumBytes, isVisible || !step.isRequired,
                    !text.contains(0)
                else { return false }
                bytes.append(copying: text)
            case .integer:
                guard Self.isInteger(text) else { return false }
                bytes.append(text)
            case .date:
                guard CalendarDate(utf8: text) != nil else { return false }
                bytes.append(text)
            }
            bytes.append(UInt8(ascii: "\t"))
        }
        return true
    }

    private static func isInteger(_ text: borrowing Span<UInt8>) -> Bool {
        let first = !text.isEmpty && text[0] == UInt8(ascii: "-") ? 1 : 0
        guard (1...18).contains(text.count - first) else { return false }
        guard text[first] != UInt8(ascii: "0") || text.count == 1 else { return false }
        for index in first..<text.count {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index]) else {
                return false
            }
        }
        return true
    }
}

extension Span<UInt8> {
    fileprivate func contains(_ byte: UInt8) -> Bool {
        for index in indices where self[index] == byte { return true }
        return false
    }
}
