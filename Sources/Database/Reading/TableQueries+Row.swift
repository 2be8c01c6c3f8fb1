package import Listings

extension TableDescription {
    /// The key values that an id in a URL represents, or nil if no row can have it.
    func keyValues(of id: String) -> [CellValue]? {
        let types = key.map(\.type)
        guard types.count == 1 else { return CompositeID.parts(of: id, types: types) }
        if let value = CellValue.id(id, as: types[0]) { return [value] }
        // A foreign key column may contain values that do not match its declared type.
        return isStored ? nil : [.text(id)]
    }
}

extension TableQueries {
    /// A record with its section.
    package struct FoundRecord {
        /// A batch that contains only the record.
        package let batch: RecordBatch
        /// The section.
        package let section: SectionKey
    }

    /// Reads the record with an id.
    package func record(
        _ id: String,
        grouping: Grouping?
    ) throws(ReadingError) -> FoundRecord? {
        guard let values = keyValues(of: id) else { return nil }
        let sql = TableSQL(table, schema: schema, dialect: connection.dialect)
        let statement = try statement(
            "SELECT \(sql.selection(grouping: grouping)) FROM \(table.quotedName)"
                + " WHERE \(sql.identity) LIMIT 1"
        )
        let layout = RecordLayout(table: table, schema: schema, grouping: grouping)
        var collector = RecordCollector(layout)
        do {
            guard try statement.collect(values, into: &collector) > 0 else { return nil }
        } catch .strangePosition {
            // A value that the key's type cannot represent is not an id.
            return nil
        } catch {
            throw error
        }
        // A row has one URL, but a foreign column may accept ` 07` for 7.
        let found = collector.value(record: 0, cell: RecordBatch.idCell)
        guard found.plainText == id else { return nil }
        let section = collector.section(of: 0)
        return FoundRecord(batch: collector.batch(), section: section)
    }

    /// Reads the bytes of a column in the record with an id.
    ///
    /// Nil if the value has no bytes.
    func bytes(ofColumn column: Int, inRecord id: String) throws(ReadingError) -> [UInt8]? {
        guard let values = keyValues(of: id) else { return nil }
        let sql = TableSQL(table, schema: schema, dialect: connection.dialect)
        let statement = try statement(
            "SELECT \(connection.dialect.bytes(column: column, of: table))"
                + " FROM \(table.quotedName) WHERE \(sql.identity) LIMIT 1"
        )
        let form: ValueForm =
            table.columns[column].isKeyed
            ? .keyed(schema.columns[column].type) : .stored(.bytes)
        guard case .bytes(let value)? = try statement.values(values, as: [form]).first else {
            return nil
        }
        return value.bytes
    }

    /// The key values that an id in a URL represents, or nil if no row can have it.
    package func keyValues(of id: String) -> [CellValue]? { table.keyValues(of: id) }
}
