/// A column of a table of rows: one of the list, or the id or section that every row has.
package enum RowField: Hashable, Sendable {
    case id
    case section
    case column(Int)

    /// The name of sections in parameters and downloads, which no column has.
    package static let sectionName = "section"
}

extension RowField {
    package var column: Int? {
        guard case .column(let position) = self else { return nil }
        return position
    }
}

extension ListSchema {
    /// The parts of rows that are no columns of the list, but that downloads can have.
    package var furtherFields: [RowField] { idColumn == nil ? [.id, .section] : [.section] }

    package func name(of field: RowField) -> String {
        switch field {
        case .id: Self.idName
        case .section: RowField.sectionName
        case .column(let position): columns[position].id
        }
    }

    /// They are the shown columns, and what the client named besides.
    ///
    /// A grouped list has the section first, unless the client named it elsewhere.
    package func fields(of query: ListQuery) -> [RowField] {
        let shown = query.fields ?? (query.columns ?? Array(ownColumns)).map(RowField.column)
        return isGrouped(query) && !shown.contains(.section) ? [.section] + shown : shown
    }

    /// A column has the name of the source.
    ///
    /// It has its id where that is the name of a section or an id in the same download.
    package func names(of fields: [RowField]) -> [String] {
        let taken = fields.filter { $0.column == nil }.map(name)
        return fields.map { field in
            guard let position = field.column else { return name(of: field) }
            let column = columns[position]
            return taken.contains(column.fileName) ? column.id : column.fileName
        }
    }

    package func isGrouped(_ query: ListQuery) -> Bool {
        query.grouping != nil || usesOwnSections(query)
    }
}
