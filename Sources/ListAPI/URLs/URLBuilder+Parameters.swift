import Bytes
import HTTP
import Listings
import Rendering

/// The parameters of addresses: the differences from the list's defaults, in a fixed order.
extension URLBuilder {
    /// A writer of separators: `?` before the first parameter and `&` before every other.
    struct Parameters {
        private var isFirst = true

        init() {}

        /// Continues an address that begins at a position of a buffer.
        init(behind buffer: borrowing ByteBuffer, from start: Int) {
            for index in start..<buffer.count where buffer[index] == UInt8(ascii: "?") {
                isFirst = false
            }
        }

        mutating func begin(_ parameter: ListParameter, in buffer: inout ByteBuffer) {
            separate(in: &buffer)
            buffer.append(parameter.name)
            buffer.append(UInt8(ascii: "="))
        }

        mutating func separate(in buffer: inout ByteBuffer) {
            buffer.append(isFirst ? UInt8(ascii: "?") : UInt8(ascii: "&"))
            isFirst = false
        }
    }

    /// The differences of an address from that of its page.
    ///
    /// Most links differ in nothing else, and copying a query costs more than writing its address.
    struct Variant {
        var place: Place
        var start: ListQuery.Start
        var shape: ListQuery.Shape
        var layout: PageLayout
        var namesLimit: Bool
        /// The filters that replace those of the query.
        var conditions: (filters: [Filter], search: TextSearch?)?
        /// The order that replaces that of the query.
        var sort: [SortKey]?
        var counting: ListQuery.Counting
        /// The grouping that replaces that of the query, with all its sections.
        var regrouped: Grouping??
    }

    /// Returns the variant of a query without differences.
    func variant(of query: ListQuery) -> Variant {
        Variant(
            place: place,
            start: query.start,
            shape: query.shape,
            layout: layout,
            namesLimit: namesLimit,
            counting: query.counting
        )
    }

    func writeParameters(_ query: ListQuery, to buffer: inout ByteBuffer) {
        writeParameters(query, variant(of: query), to: &buffer)
    }

    func writeParameters(_ query: ListQuery, _ variant: Variant, to buffer: inout ByteBuffer) {
        var parameters = Parameters()
        writeSegment(&parameters, to: &buffer)
        switch variant.place {
        case .schema, .cell:
            return
        case .row:
            return writeColumns(query, &parameters, to: &buffer)
        case .children:
            writeColumns(query, &parameters, to: &buffer)
            writeExpanded(query, &parameters, to: &buffer)
        case .sections:
            writeConditions(query, variant, &parameters, to: &buffer)
            writeGrouping(query, variant, &parameters, to: &buffer)
        case .list, .section, .changes:
            writeConditions(query, variant, &parameters, to: &buffer)
            let sort = variant.sort ?? query.sort
            if sort != schema.defaultSort { writeSort(sort, &parameters, to: &buffer) }
            writeGrouping(query, variant, &parameters, to: &buffer)
            if case .section = variant.place {
            } else if variant.regrouped == nil {
                write(query.sections ?? [], as: .section, &parameters, to: &buffer)
                write(query.collapsed, as: .collapsed, &parameters, to: &buffer)
            }
            writeColumns(query, &parameters, to: &buffer)
            writeExpanded(query, &parameters, to: &buffer)
        }
        writeCounts(query, variant.counting, &parameters, to: &buffer)
        writeShape(variant, &parameters, to: &buffer)
        writeStart(variant.start, limit: variant.shape.limit, &parameters, to: &buffer)
        guard variant.layout != .table, variant.place != .sections else { return }
        parameters.begin(.layout, in: &buffer)
        buffer.append(variant.layout.rawValue)
    }

    /// Whether the start of a page is the last parameter of its address.
    var endsWithStart: Bool {
        switch place {
        case .list, .section, .sections: layout == .table
        case .row, .children, .cell, .schema, .changes: false
        }
    }

    func writeSegment(_ parameters: inout Parameters, to buffer: inout ByteBuffer) {
        guard let segment else { return }
        parameters.begin(.segment, in: &buffer)
        PercentEncoding.encode(segment, for: .queryComponent, into: &buffer)
    }

    private func write(
        _ sections: [SectionKey],
        as parameter: ListParameter,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        for section in sections {
            parameters.begin(parameter, in: &buffer)
            PercentEncoding.encode(
                sectionID(of: section).rawValue,
                for: .queryComponent,
                into: &buffer
            )
        }
    }

    private func writeExpanded(
        _ query: ListQuery,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        for id in query.expanded {
            parameters.begin(.expanded, in: &buffer)
            PercentEncoding.encode(id, for: .queryComponent, into: &buffer)
        }
    }

    private func writeColumns(
        _ query: ListQuery,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        guard let columns = query.columns else { return }
        parameters.begin(.columns, in: &buffer)
        writeNames(columns.map { schema.columns[$0].id }, to: &buffer)
    }

    private func writeSort(
        _ keys: [SortKey],
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        parameters.begin(.sort, in: &buffer)
        // A query without sort keys is sorted by id.
        let keys = keys.isEmpty ? [SortKey(.id)] : keys
        for (index, key) in keys.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            if key.direction == .descending { buffer.append(UInt8(ascii: "-")) }
            switch key.field {
            case .id: buffer.append(ListSchema.idName)
            case .column(let column):
                PercentEncoding.encode(
                    schema.columns[column].id,
                    for: .queryComponent,
                    into: &buffer
                )
            }
            if key.nulls == .first { buffer.append(":nullsfirst" as StaticString) }
        }
    }

    func writeGrouping(
        _ query: ListQuery,
        _ variant: Variant,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        let grouping = variant.regrouped ?? query.grouping
        let mergesSections = variant.regrouped == nil && query.mergesSections
        guard grouping != schema.defaultGrouping || mergesSections else { return }
        parameters.begin(.group, in: &buffer)
        guard let grouping else { return buffer.append("none" as StaticString) }
        writeNames([schema.columns[grouping.column].id], to: &buffer)
        if grouping.part == .initial { buffer.append(":initial" as StaticString) }
    }

    func writeNames(_ names: [String], to buffer: inout ByteBuffer) {
        for (index, name) in names.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            PercentEncoding.encode(name, for: .queryComponent, into: &buffer)
        }
    }

    private func writeShape(
        _ variant: Variant,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        switch variant.shape {
        case .flow(let limit):
            guard variant.namesLimit || limit != schema.defaultLimit else { return }
            parameters.begin(.limit, in: &buffer)
            buffer.append(decimal: limit)
        case .peek(let limit, let rows):
            if variant.place != .sections {
                parameters.begin(.perSection, in: &buffer)
                buffer.append(decimal: rows)
            }
            guard limit != ListParameters.sectionLimit(schema, rows: rows) else { return }
            parameters.begin(.limit, in: &buffer)
            buffer.append(decimal: limit)
        }
    }

    private func writeStart(
        _ start: ListQuery.Start,
        limit: Int,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        switch start {
        case .beginning: break
        case .after(let cursor):
            parameters.begin(.after, in: &buffer)
            cursor.write(signedBy: cursorKeys, to: &buffer)
        case .before(let cursor):
            parameters.begin(.before, in: &buffer)
            cursor.write(signedBy: cursorKeys, to: &buffer)
        case .offset(let offset):
            parameters.begin(.page, in: &buffer)
            buffer.append(decimal: offset / max(1, limit) + 1)
        case .letter(let letter):
            parameters.begin(.jump, in: &buffer)
            PercentEncoding.encode(letter, for: .queryComponent, into: &buffer)
        }
    }
}

/// The parameters that filter rows and count them.
extension URLBuilder {
    func writeConditions(
        _ query: ListQuery,
        _ variant: Variant,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        if let conditions = variant.conditions {
            write(conditions.filters, conditions.search, &parameters, to: &buffer)
        } else {
            write(query.filters, query.search, &parameters, to: &buffer)
        }
    }

    private func write(
        _ filters: [Filter],
        _ search: TextSearch?,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        if let search {
            parameters.begin(.search, in: &buffer)
            PercentEncoding.encode(search.text, for: .queryComponent, into: &buffer)
        }
        for filter in filters { write(filter, &parameters, to: &buffer) }
    }

    private func write(
        _ filter: Filter,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        parameters.separate(in: &buffer)
        let id = schema.name(of: filter.field)
        PercentEncoding.encode(id, for: .queryComponent, into: &buffer)
        if filter.operation != .equal || ListParameter.Accepted.changes.accepts(name: id) {
            buffer.append("__" as StaticString)
            buffer.append(filter.operation.rawValue)
        }
        buffer.append(UInt8(ascii: "="))
        // In a mixed column one text may name several values.
        var values: [String] = []
        for operand in filter.operands {
            let text = text(of: operand, filter)
            if !values.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { values.append(text) }
        }
        guard filter.operation.takesList else {
            return PercentEncoding.encode(values[0], for: .queryComponent, into: &buffer)
        }
        // Commas between values stay readable.
        for (index, value) in values.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            PercentEncoding.encode(ValueList.text(of: [value]), for: .queryComponent, into: &buffer)
        }
    }

    /// Returns an operand in the form of the parameter.
    private func text(of operand: CellValue, _ filter: Filter) -> String {
        guard filter.operation == .identical, let column = filter.column else {
            return operand.plainText
        }
        return schema.columns[column].name(of: operand)
    }

    func writeCounts(
        _ query: ListQuery,
        _ counting: ListQuery.Counting,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        if counting != .capped {
            parameters.begin(.count, in: &buffer)
            buffer.append(counting.rawValue)
        }
        guard !query.facets.isEmpty else { return }
        parameters.begin(.facets, in: &buffer)
        writeNames(query.facets.map { schema.columns[$0].id }, to: &buffer)
    }

    func parameters(of link: PageLink) -> [(name: String, value: String)] {
        var buffer = ByteBuffer()
        write(link, to: &buffer)
        let hasParameters = buffer.withBytes { bytes in
            bytes.indices.contains { bytes[$0] == UInt8(ascii: "?") }
        }
        guard hasParameters else { return [] }
        let address = buffer.text()
        // Links written by this type always parse.
        guard let mark = address.firstIndex(of: "?"),
            let items = try? QueryItems(rawQuery: String(address[address.index(after: mark)...]))
        else { return [] }
        var parameters = items.map { (name: $0.name, value: $0.value ?? "") }
        if case .section(let id) = place { parameters.append(("section", id.rawValue)) }
        return parameters
    }

    /// Appends the address of the filter form; see ``Service/redirectNarrowing(_:_:with:)``.
    func writeForm(to buffer: inout ByteBuffer) {
        writeList(to: &buffer)
        buffer.append("/-/narrow" as StaticString)
        guard let suffix else { return }
        buffer.append(UInt8(ascii: "."))
        buffer.append(suffix.rawValue)
    }
}
