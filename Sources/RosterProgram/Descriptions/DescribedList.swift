import Listings

struct Located<Value: Hashable & Sendable>: Hashable, Sendable {
    let value: Value
    /// The file, the line and the column, such as `lists.json:3:9`.
    let location: String
}

struct DescribedList: Hashable, Sendable {
    struct Column: Hashable, Sendable {
        let id: Located<String>
        var label: String?
        var notes = ColumnNotes()
        var format: Located<ColumnFormat>?
        var target: Located<String>?
        var isHidden = false
    }

    let name: Located<String>
    var title: String?
    var about = ListAbout()
    var isHidden = false
    /// The columns that label the rows, with `+` between them.
    var label: Located<String>?
    /// The default order: ids of columns, with `-` before descending ones.
    var sort: [Located<String>] = []
    var group: Located<String>?
    /// The columns that pages show, in their order, unless a client chooses others; empty for all.
    var show: [Located<String>] = []
    var order: [Located<String>] = []
    var columns: [Column] = []

    init(_ name: Located<String>) { self.name = name }

    func column(_ id: String) -> Column? { columns.first { $0.id.value == id } }

    func order(of columns: [Listings.Column]) -> [Int] {
        let first = order.compactMap { column in
            columns.firstIndex { $0.id == column.value }
        }
        let all = first + columns.indices.filter { !first.contains($0) }
        return all.filter { column(columns[$0].id)?.isHidden != true }
    }

    /// Returns a schema with the shown columns as they are described, and the default order.
    ///
    /// Names and formats that do not suit the columns are left out, because a database can change
    /// while it is served.
    func applied(to schema: ListSchema) -> ListSchema {
        let positions = order(of: schema.columns)
        let columns = positions.enumerated().map { location, position in
            dressed(schema.columns[position], isFirst: location == 0)
        }
        let ids = columns.map(\.id)
        let keys = sort.compactMap { key -> SortKey? in
            let (id, direction) = Self.step(key.value)
            guard let column = ids.firstIndex(of: id), columns[column].isSortable else {
                return nil
            }
            return SortKey(.column(column), direction)
        }
        var schema = schema.choosing(positions, as: columns, sort: sort.isEmpty ? nil : keys)
        let shown = show.compactMap { schema.index(of: $0.value) }
        schema.defaultColumns = shown.isEmpty ? nil : shown
        schema.isOrdered = !order.isEmpty
        return schema
    }

    private func dressed(_ column: Listings.Column, isFirst: Bool) -> Listings.Column {
        var dressed = column
        // Narrow screens always have room for the first column.
        if isFirst { dressed = dressed.prioritized(1, isGroupable: dressed.isGroupable) }
        guard let described = self.column(column.id) else { return dressed }
        dressed = dressed.described(as: described.label, described.notes)
        guard let format = described.format?.value, format.suits(column) else { return dressed }
        return dressed.formatted(as: format)
    }

    static func step(_ text: String) -> (id: String, direction: SortKey.Direction) {
        text.hasPrefix("-") ? (String(text.dropFirst()), .descending) : (text, .ascending)
    }
}
