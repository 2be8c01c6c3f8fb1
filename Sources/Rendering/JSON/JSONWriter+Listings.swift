import Bytes
import Listings

extension JSONWriter {
    /// Appends the number of rows and its relation to the exact number, or null.
    mutating func count(_ count: Count?) {
        guard let count else { return null() }
        separate()
        lead("{\"value\":")
        integer(Int64(count.value))
        lead(",\"relation\":")
        string(count.relation.rawValue)
        buffer.append(UInt8(ascii: "}"))
    }

    /// Appends a column.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - isDescribed: Whether the operators of its conditions are included.
    mutating func column(_ column: Column, isDescribed: Bool = false) {
        object { writer in
            writer.member("id", column.id)
            writer.member("label", column.label)
            writer.member("type", column.type.rawValue)
            writer.member("priority", column.priority)
            writer.member("sortable", column.isSortable)
            if column.isGroupable { writer.member("groupable", true) }
            if column.isFacet { writer.member("facet", true) }
            if column.type.isNumber { writer.member("align", "end") }
            if column.isMixed { writer.member("mixed", true) }
            guard isDescribed, column.isFilterable else { return }
            writer.array("operators") { writer in
                for operation in Filter.Operator.allowed(for: column.type) {
                    writer.string(operation.rawValue)
                }
            }
        }
    }

    /// Appends the member `columns` with the shown columns.
    mutating func columns(of page: borrowing Page) {
        array("columns") { writer in
            for index in page.shownColumns { writer.column(page.schema.columns[index]) }
        }
    }

    /// Appends the members for the order of rows and the paging mode.
    mutating func order(of page: borrowing Page) {
        let (schema, query) = (page.schema, page.query)
        array("sort") { writer in
            guard !schema.usesOwnOrder(query) else { return }
            // Sorting by the id column makes any further order redundant.
            let isIDNamed = query.sort.contains { key in
                schema.idColumn.map { key.field == .column($0) } ?? false
            }
            for key in query.order where !isIDNamed || key.field != .id {
                writer.string(key.text(schema))
            }
        }
        switch query.shape {
        case .flow: member("mode", "flow")
        case .peek: member("mode", "peek")
        }
    }

    /// Appends the links to other formats of the page and to related pages.
    mutating func furtherLinks(of page: borrowing Page, in context: RenderContext) {
        link("html", .alternate(.html), context)
        link("csv", .alternate(.csv), context)
        link("ndjson", .alternate(.ndjson), context)
        if let parent = context.parent {
            string("parent") { context.links.writeRow(parent.utf8.span, to: &$0) }
        }
        if context.isRefreshable { link("refresh", .refresh, context) }
        if page.query.grouping != nil { link("sections", .sections, context) }
        link("schema", .schema, context)
    }

    /// Appends the members that describe a section, as the first ones of an object.
    ///
    /// - Parameters:
    ///   - position: The index of the section on the page.
    ///   - page: The page.
    ///   - index: The index to write, or nil to omit it.
    mutating func section(_ position: Int, of page: borrowing Page, index: Int? = nil) {
        // The section is accessed in place, because a copy would retain each of its texts.
        lead("\"id\":")
        string(page.sections[position].info.id.rawValue)
        if let index {
            lead(",\"index\":")
            integer(Int64(index))
        }
        lead(",\"header\":")
        object(of: page.sections[position].info.header, "{\"title\":")
        lead(",\"footer\":")
        object(of: page.sections[position].info.footer, "{\"text\":")
        if let title = page.sections[position].info.indexTitle { member("indexTitle", title) }
        if page.sections[position].info.isCollapsed { member("collapsed", true) }
    }

    /// Appends an object with one text, or null.
    private mutating func object(of text: String?, _ start: StaticString) {
        guard let text else { return null() }
        lead(start)
        string(text)
        buffer.append(UInt8(ascii: "}"))
    }

    /// Appends an address as a member, or null if there is no link.
    mutating func link(_ name: StaticString, _ link: PageLink?, _ context: RenderContext) {
        guard let link else { return member(name, nil) }
        string(name) { context.links.write(link, to: &$0) }
    }

    /// Appends the text of a cursor as a member, or null.
    mutating func cursor(_ name: StaticString, _ cursor: Cursor?, _ context: RenderContext) {
        guard let cursor else { return member(name, nil) }
        string(name) { context.links.writeCursor(cursor, to: &$0) }
    }

    /// Appends any value.
    mutating func value(_ value: CellValue) {
        switch value {
        case .null: null()
        case .text(let text): string(text)
        case .integer(let integer): self.integer(integer)
        case .real(let real): self.real(real)
        case .boolean(let boolean): self.boolean(boolean)
        case .date(let date): self.date(date)
        case .timestamp(let timestamp): string(timestamp.text)
        case .decimal(let decimal):
            separate()
            JSONValueEncoder.writeDecimal(decimal.text.utf8.span, to: &buffer)
        case .json(let text):
            separate()
            buffer.append(text)
        case .bytes(let bytes):
            separate()
            JSONValueEncoder.writeBytes(bytes.count, to: &buffer)
        }
    }
}

extension SortKey {
    /// Returns the sort key in the form of the parameter `sort`, such as `-age:nullsfirst`.
    func text(_ schema: ListSchema) -> String {
        let name =
            switch field {
            case .id: ListSchema.idName
            case .column(let column): schema.columns[column].id
            }
        let sign = direction == .descending ? "-" : ""
        return sign + name + (nulls == .first ? ":nullsfirst" : "")
    }
}
