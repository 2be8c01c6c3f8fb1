import Listings

extension QueryStatistics {
    /// Each column is read once for a version.
    ///
    /// Without enough time, the keys of times sort the rows.
    mutating func learnTimes(
        of query: ListQuery,
        _ reading: TableQueries,
        within budget: Duration
    ) throws(ReadingError) {
        guard !reading.table.isStored, !reading.connection.dialect.knowsSelectivity else { return }
        var sorted: Set<Int> = []
        try query.forEachColumn { (step, column) throws(ReadingError) in
            guard reading.schema.columns[column].type.isTime,
                !reading.table.columns[column].isDerived
            else { return }
            if timeForms[column] == nil {
                do throws(ReadingError) {
                    let form = try reading.connection.within(budget) { () throws(ReadingError) in
                        try reading.timeForm(ofColumn: column)
                    }
                    timeForms[column] = .some(form)
                } catch {
                    guard error.isOutOfTime else { throw error }
                    timeForms[column] = .some(nil)
                }
            }
            // Names of sections have one spelling, which only dates share.
            guard let form = timeForms[column] ?? nil, step > 0 || form == TimeForm.date else {
                return
            }
            // A cursor may come from a row that another program has changed.
            if let value = query.start.value(ofStep: step), [.time, .text].contains(value.kind),
                TimeForm.number(of: value.plainText.utf8.span) != form
            {
                return
            }
            sorted.insert(column)
        }
        reading.table.sortedTimes = sorted
    }
}

extension TableQueries {
    fileprivate func timeForm(ofColumn column: Int) throws(ReadingError) -> Int? {
        let sql = connection.dialect.timeForms(ofColumn: column, of: table)
        guard let sql else { return nil }
        let forms = try statement(sql).values([], as: [.stored(.integer)])
        guard forms.count == 1, case .integer(let form) = forms[0] else { return nil }
        return Int(form)
    }
}

extension ListQuery.Start {
    /// The value of a cursor in a step of the order: the key of its section, then those of its row.
    fileprivate func value(ofStep step: Int) -> CellValue? {
        guard case .after(let cursor) = self else {
            if case .before(let cursor) = self { return Self.after(cursor).value(ofStep: step) }
            return nil
        }
        guard step == 0 else { return cursor.row?.values.dropFirst(step - 1).first }
        return if case .value(let key) = cursor.section { key } else { nil }
    }
}
