import Database
import ListAPI
import Listings
import Locks
import SQLite

struct ListPresentation {
    private let list: ListMetadata
    private let form: ListForm
    let notice: String?
    /// The table in the order of the schema; nil when its name cannot be used in SQL.
    let table: TableDescription?
    /// The schema of the list; nil when a column's name is reserved.
    let schema: ListSchema?

    var usedGroupings: [GroupArgument] { form.usedGroupings }

    /// Determines the form of a list.
    init(_ list: ListMetadata, groupings: [GroupArgument]) {
        self.list = list
        form = ListForm(list.name, list.columns, idType: list.idType, groupings: groupings)
        notice =
            list.name == "users" && form.users == nil
            ? "users: no text columns \(UserList.requiredColumns.joined(separator: ", ")); "
                + "shown as plain records" : nil
        let columns = form.users.map { $0.order.map { list.columns[$0] } } ?? list.columns
        table = TableDescription(
            list: list.name,
            table: list.table,
            idType: list.idType,
            columns: columns,
            keyed: Set(
                columns.indices.filter { position in
                    list.columns.firstIndex { $0.id == columns[position].id }
                        .map(list.keyed.contains) ?? false
                }
            ),
            wordIndex: list.wordIndex,
            trigramIndex: list.trigramIndex
        )
        // The import made all names usable; nil stands for a database that another program changed.
        schema = try? form.schema()
    }

    func definition(
        through readers: DatabaseReaders,
        in store: ListStore.ImportTarget? = nil,
        savedBy saver: FileSaver? = nil,
        staleness: SharedNumber? = nil,
        secondsToIndexes: SharedNumber? = nil,
        described: DescribedList? = nil
    ) throws(Failure) -> ListDefinition {
        guard var table, var schema else {
            throw Failure(.badData, "the list '\(list.name)' in the database has unusable names")
        }
        if let described {
            table = table.choosing(described.order(of: schema.columns))
            schema = described.applied(to: schema)
        }
        let rules = RowRules(schema, required: form.requiredColumns(in: schema))
        // Rows of files that cannot be saved are read-only.
        let isSaved = store?.maximumSavedBytes != nil
        let isReadOnly = isSaved && saver == nil
        let writing =
            isReadOnly
            ? nil
            : store.map {
                TableWriting(rules, through: $0.gate, saver: saver)
            }
        do {
            let source = TableSource(
                location: readers.location,
                table: table,
                schema: schema,
                registration: try form.registration(schema.columns),
                readers: readers,
                keeper: store?.keeper,
                writing: writing,
                staleness: staleness,
                secondsToIndexes: secondsToIndexes
            )
            var definition = ListDefinition(list.name, source: source).described(by: described)
            definition.about.isInMemory = store?.keeper != nil && !isSaved
            if case .file(let path)? = store?.location, store?.keeper == nil {
                definition.about.database = path.split(separator: UInt8(ascii: "/")).last.map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
            return definition
        } catch {
            throw Failure(.software, "the list '\(list.name)' cannot be shown: \(error)")
        }
    }
}
