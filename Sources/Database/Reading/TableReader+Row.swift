import Listings

/// Reads single rows and the bytes of their cells.
extension TableReader: CellReader {
    func readRow(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        guard try readModel(id, grouping: grouping, into: &page) else { return false }
        try page.end()
        return true
    }

    func readRow(
        _ id: String,
        bytesOf column: Int,
        grouping: Grouping?,
        into page: inout Page,
        _ bytes: inout [UInt8]?
    ) throws(SourceError) -> Bool {
        bytes = nil
        let isFound = try readModel(id, grouping: grouping, into: &page) {
            (model, reading) throws(ReadingError) in
            bytes = try reading.bytes(ofColumn: column, inRecord: model)
        }
        if isFound { try page.end() }
        return isFound
    }

    private func readModel(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page,
        and further: (String, TableQueries) throws(ReadingError) -> Void = { _, _ in }
    ) throws(SourceError) -> Bool {
        guard let (model, part) = registration.model(ofRow: id) else { return false }
        try begin()
        do {
            let version = try session.beginReading()
            defer { session.endReading() }
            let query = ListQuery(grouping: grouping, shape: .flow(limit: 1))
            page.begin(query, version: version)
            let reading = session.reading
            reading.connection.deadline = slice?.end
            defer { reading.connection.deadline = nil }
            let found = try reading.connection.within(budgets.rows) { () throws(ReadingError) in
                try reading.record(model, grouping: grouping)
            }
            guard let found else { return false }
            page.beginSection(schema.section(found.section, grouping: grouping))
            page.append(
                part: part,
                of: Record(found.batch, at: 0),
                using: registration
            )
            try reading.connection.within(budgets.rows) { () throws(ReadingError) in
                try further(model, reading)
            }
            return true
        } catch {
            throw told(error)
        }
    }
}
