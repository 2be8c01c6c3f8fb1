package import Listings

extension TableDescription {
    /// The values of the key that an id of an address stands for; nil when no row can have it.
    func keyValues(of id: String) -> [CellValue]? {
        let types = key.map(\.type)
        guard types.count == 1 else { return CompositeID.parts(of: id, types: types) }
        if let value = CellValue.id(id, as: types[0]) { return [value] }
        // A foreign key column may hold what its declaration does not promise.
        return isStored ? nil : [.text(id)]
    }
}

extension TableReading {
    /// One record and the section it is in.
    package struct FoundRecord {
        /// Holds the record alone.
        package let batch: RecordBatch
        /// The section.
        package let section: SectionKey
    }

    /// Reads the record that has an id.
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
            // What the type of the key cannot be is no row's id.
            return nil
        } catch {
            throw error
        }
        // A row has one address: a foreign column may take ` 07` for 7.
        let found = collector.value(record: 0, cell: RecordBatch.idCell)
        guard found.plainText == id else { return nil }
        let section = collector.section(of: 0)
        return FoundRecord(batch: collector.batch(), section: section)
    }

    /// Reads the bytes of a column in the record that has an id; nil where the value is none.
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

    /// The values of the key that an id of an address stands for; nil when no row can have it.
    package func keyValues(of id: String) -> [CellValue]? { table.keyValues(of: id) }
}
