import Bytes
import Listings
import MemoryLists
import TableFiles

enum SampleList {
    /// Returns the list `users`.
    ///
    /// - Parameter epoch: The number of this start; revisions are valid for this start only,
    ///   because another program version may have other samples.
    /// - Returns: The list.
    /// - Throws: ``FileError`` or ``ListingError`` when the samples are invalid; a test reads them.
    static func make(
        epoch: UInt64 = UInt64(UInt32.random(in: 1...UInt32.max))
    ) throws -> ListDefinition {
        let table = try CSVTable(SampleUsers.csv)
        let columns = UserColumns(table.plan.columns)
        guard let columns else {
            throw ListingError.missingColumns(UserList.requiredColumns, of: "users")
        }
        let users = table.rows.map {
            columns.user(id: $0.id, values: $0.values, revision: Int64(epoch))
        }
        var registry = ControllerRegistry()
        let controller = UserController(further: columns.further)
        let source = try MemorySource(
            models: users,
            using: registry.register(controller),
            schema: UserList.schema(for: controller, idType: table.plan.idType),
            version: ListVersion(epoch: epoch, counter: 1)
        )
        var definition = ListDefinition("users", source: source)
        definition.about.isInMemory = true
        return definition
    }
}

private struct CSVTable {
    let plan: ImportPlan
    let rows: [(id: String, values: [CellValue])]

    init(_ text: String) throws(FileError) {
        var records: [[String?]] = []
        var survey = SchemaInference()
        var reader = DelimitedReader(.commaSeparated)
        var record = FileRecord()
        let bytes = Array(text.utf8)
        var index = 0
        while try reader.read(bytes.span, from: &index, into: &record) == .complete {
            survey.add(record)
            records.append((0..<record.count).map { record.text($0) })
        }
        if try reader.finish(into: &record) == .complete {
            survey.add(record)
            records.append((0..<record.count).map { record.text($0) })
        }
        let plan = ImportPlan(reader.columns, survey: survey)
        self.plan = plan
        rows = records.enumerated().map { number, texts in
            let id = plan.idColumns.first.flatMap { texts[$0] } ?? "\(number + 1)"
            let values = zip(plan.columns, texts).map { column, text in
                text.flatMap { column.value(of: $0) } ?? .null
            }
            return (id, values)
        }
    }
}
