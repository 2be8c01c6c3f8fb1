package import Database
package import Listings

extension Statement: EngineStatement {
    /// Binds values and appends all records.
    package func collect(
        _ values: [CellValue],
        into collector: inout RecordCollector
    ) throws(ReadingError) -> Int {
        var count = 0
        defer {
            reset()
            report(records: count)
        }
        do {
            try bindKeys(values)
            while try step() {
                collector.append(self)
                count += 1
            }
            return count
        } catch {
            throw ReadingError(error)
        }
    }

    /// Binds values and returns the values of all records, one record after the other.
    package func values(
        _ values: [CellValue],
        as forms: [ValueForm]
    ) throws(ReadingError) -> [CellValue] {
        var count = 0
        defer {
            reset()
            report(records: count)
        }
        do {
            try bindKeys(values)
            var found: [CellValue] = []
            while try step() {
                count += 1
                for (column, form) in forms.enumerated() { found.append(value(column, as: form)) }
            }
            return found
        } catch {
            throw ReadingError(error)
        }
    }

    private func bindKeys(_ values: [CellValue]) throws(SQLiteError) {
        try core.watch.checkTime()
        for (index, value) in values.enumerated() { try bindKey(index + 1, value) }
    }
}

extension Statement {
    /// Binds a value of a position, which may be an encoded one that no cell can hold.
    private func bindKey(_ place: Int, _ value: CellValue) throws(SQLiteError) {
        guard case .text(let text) = value, let key = EncodedKey.read(text) else {
            return try bind(place, value)
        }
        try bind(place, utf8: key.bytes.span)
    }
}

extension RecordCollector {
    /// Appends the current record of a statement.
    fileprivate mutating func append(_ statement: Statement) {
        let parts = layout.keyTypes.count
        if parts == 1 {
            appendCell(statement, 0, as: .stored(layout.keyTypes[0]))
        } else {
            let values = (0..<parts).map { statement.value($0, as: .stored(layout.keyTypes[$0])) }
            cells.append(CompositeID.text(of: values))
        }
        appendCell(statement, parts, as: .stored(.integer))
        for (index, form) in layout.columnForms.enumerated() {
            appendCell(statement, parts + 1 + index, as: form)
        }
        if layout.selectsSection {
            appendCell(statement, parts + 1 + layout.columnForms.count, as: .stored(.text))
        }
    }

    private mutating func appendCell(_ statement: Statement, _ column: Int, as form: ValueForm) {
        let cell = cells.count
        if let storedKey = statement.writeCell(column, as: form, to: &cells) {
            storedKeys[cell] = storedKey
        }
    }
}
