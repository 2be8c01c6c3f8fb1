import Bytes
import HTTP
import Listings
import Rendering

/// The addresses around one page of a list; with ``Routes`` the only place that knows them.
///
/// Every address is canonical: it names what differs from the list's defaults, in one order.
struct ListLinks: PageLinks {
    /// What of the list the page shows.
    enum Place: Hashable, Sendable {
        case list
        case section(SectionID)
        case sections
        case row(String)
        case schema
    }

    let list: String
    let schema: ListSchema
    var place: Place
    let query: ListQuery
    /// The format, if the address named it by a suffix.
    let suffix: PageFormat?
    /// The format of the page.
    let format: PageFormat
    /// Whether the limit stands in addresses even where it is the list's own: without one, tables
    /// are sent whole.
    var namesLimit = false
    /// The segment of the list; nil for the one shown when none is asked for.
    var segment: String?
    /// How the page shows the rows.
    var layout = PageLayout.table

    func write(_ link: PageLink, to buffer: inout ByteBuffer) {
        switch link {
        case .list: writeBare(.list, to: &buffer)
        case .current: write(query, to: &buffer)
        case .first: write(query.from(.beginning), to: &buffer)
        case .after(let cursor): write(query.from(.after(cursor)), to: &buffer)
        case .before(let cursor): write(query.from(.before(cursor)), to: &buffer)
        case .alternate(let format):
            let isTable = format == .csv || format == .ndjson
            (isTable ? links(toRows: query) : self).writeAlternate(format, to: &buffer)
        case .sorted(let keys):
            let links = links(toRows: query)
            links.write(links.query.sorted(keys), to: &buffer)
        case .grouped(let grouping): writeGrouped(grouping, to: &buffer)
        case .limited(let limit): write(query.limited(to: limit), to: &buffer)
        case .section(let id): writeSection(id, from: .beginning, to: &buffer)
        case .sectionAfter(let id, let cursor): writeSection(id, from: .after(cursor), to: &buffer)
        case .sections:
            writePath(.sections, suffix: nil, to: &buffer)
            var parameters = Parameters()
            writeSegment(&parameters, to: &buffer)
            writeGrouping(query, &parameters, to: &buffer)
        case .schema: writeBare(.schema, to: &buffer)
        case .inLayout(let layout):
            var links = self
            links.layout = layout
            links.write(query, to: &buffer)
        }
    }

    func writeAction(
        _ name: String,
        ofRow id: borrowing Span<UInt8>,
        to buffer: inout ByteBuffer
    ) {
        buffer.append(UInt8(ascii: "/"))
        PercentEncoding.encode(list, for: .pathSegment, into: &buffer)
        buffer.append(UInt8(ascii: "/"))
        PercentEncoding.encode(String(decoding: id), for: .pathSegment, into: &buffer)
        buffer.append("/-/" as StaticString)
        writeName(name, suffix: nil, to: &buffer)
        // What the address says besides its path is where a person is led back to.
        var links = self
        switch place {
        case .list: break
        case .section: links.place = .list
        case .sections, .row, .schema: links.place = .schema
        }
        links.writeParameters(query, to: &buffer)
    }

    func writeRow(_ id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        writeBare(.row(String(decoding: id)), to: &buffer)
    }

    /// The list in another segment, with nothing asked for.
    func address(ofSegment id: String?) -> String {
        var links = self
        links.segment = id
        var buffer = ByteBuffer()
        links.write(.list, to: &buffer)
        return buffer.text()
    }

    /// Appends the address of a place with nothing asked for.
    private func writeBare(_ place: Place, to buffer: inout ByteBuffer) {
        writePath(place, suffix: nil, to: &buffer)
        var parameters = Parameters()
        writeSegment(&parameters, to: &buffer)
    }

    func writeCursor(_ cursor: Cursor, to buffer: inout ByteBuffer) { cursor.write(to: &buffer) }

    /// The links of a place that shows rows: the section index has none to sort or to export, so
    /// there it is the list.
    private func links(toRows query: ListQuery) -> ListLinks {
        guard place == .sections else { return self }
        var query = query.from(.beginning)
        query.shape = .flow(limit: schema.defaultLimit)
        return ListLinks(
            list: list,
            schema: schema,
            place: .list,
            query: query,
            suffix: suffix,
            format: format
        )
    }

    // MARK: - Paths

    private func writePath(_ place: Place, suffix: PageFormat?, to buffer: inout ByteBuffer) {
        buffer.append(UInt8(ascii: "/"))
        guard place != .list else { return writeName(list, suffix: suffix, to: &buffer) }
        // Only the last name of a path can be mistaken for one with a suffix.
        PercentEncoding.encode(list, for: .pathSegment, into: &buffer)
        switch place {
        case .list: break
        case .row(let id):
            buffer.append(UInt8(ascii: "/"))
            writeName(id, suffix: suffix, to: &buffer)
        case .section(let id):
            buffer.append("/-/sections/" as StaticString)
            writeName(id.rawValue, suffix: suffix, to: &buffer)
        case .sections:
            buffer.append("/-/" as StaticString)
            writeName("sections", suffix: suffix, to: &buffer)
        case .schema:
            buffer.append("/-/" as StaticString)
            writeName("schema", suffix: suffix, to: &buffer)
        }
    }

    /// Writes a name and the suffix; a name that would be mistaken for one with a suffix, or for a
    /// dot segment, gets the page's own.
    private func writeName(_ name: String, suffix: PageFormat?, to buffer: inout ByteBuffer) {
        PercentEncoding.encode(name, for: .pathSegment, into: &buffer)
        let isMistakable =
            name == "." || name == ".." || name.isEmpty || SuffixedName(name).format != nil
        guard let suffix = suffix ?? (isMistakable ? format : nil) else { return }
        buffer.append(UInt8(ascii: "."))
        buffer.append(suffix.rawValue)
    }

    private func write(_ query: ListQuery, to buffer: inout ByteBuffer) {
        writePath(place, suffix: suffix, to: &buffer)
        writeParameters(query, to: &buffer)
    }

    private func writeAlternate(_ format: PageFormat, to buffer: inout ByteBuffer) {
        writePath(place, suffix: format, to: &buffer)
        var links = self
        links.namesLimit = false
        if format != .html { links.layout = .table }
        switch format {
        case .html, .json: links.writeParameters(query, to: &buffer)
        case .csv, .ndjson:
            var whole = query.from(.beginning)
            whole.shape = .flow(limit: schema.defaultLimit)
            links.writeParameters(whole, to: &buffer)
        }
    }

    /// Drops the restriction to some sections, as another grouping has others, and leads from one
    /// section's page to the list.
    ///
    /// The section index stays one, unless there are no sections.
    private func writeGrouped(_ grouping: Grouping?, to buffer: inout ByteBuffer) {
        let links = grouping == nil ? links(toRows: query) : self
        var query = links.query.from(.beginning)
        query.grouping = grouping
        query.mergesSections = false
        query.sections = nil
        ListLinks(
            list: list,
            schema: schema,
            place: links.place == .sections ? .sections : .list,
            query: query,
            suffix: suffix,
            format: format,
            segment: segment,
            layout: layout
        ).write(.current, to: &buffer)
    }

    private func writeSection(
        _ id: SectionID,
        from start: ListQuery.Start,
        to buffer: inout ByteBuffer
    ) {
        var alone = query.from(start)
        if !alone.shape.pagesRows { alone.shape = .flow(limit: schema.defaultLimit) }
        let links = ListLinks(
            list: list,
            schema: schema,
            place: .section(id),
            query: alone,
            suffix: nil,
            format: format,
            segment: segment,
            layout: layout
        )
        links.write(.current, to: &buffer)
    }

    // MARK: - Parameters

    /// Puts `?` before the first parameter and `&` before every other.
    private struct Parameters {
        private var isFirst = true

        mutating func begin(_ name: StaticString, in buffer: inout ByteBuffer) {
            buffer.append(isFirst ? UInt8(ascii: "?") : UInt8(ascii: "&"))
            isFirst = false
            buffer.append(name)
            buffer.append(UInt8(ascii: "="))
        }
    }

    private func writeParameters(_ query: ListQuery, to buffer: inout ByteBuffer) {
        var parameters = Parameters()
        writeSegment(&parameters, to: &buffer)
        switch place {
        case .schema:
            return
        case .row:
            return writeColumns(query, &parameters, to: &buffer)
        case .sections:
            writeGrouping(query, &parameters, to: &buffer)
        case .list, .section:
            if query.sort != schema.defaultSort { writeSort(query.sort, &parameters, to: &buffer) }
            writeGrouping(query, &parameters, to: &buffer)
            if place == .list { writeSections(query, &parameters, to: &buffer) }
            writeColumns(query, &parameters, to: &buffer)
        }
        writeShape(query.shape, &parameters, to: &buffer)
        writeStart(query.start, limit: query.shape.limit, &parameters, to: &buffer)
        guard layout != .table, place != .sections else { return }
        parameters.begin("layout", in: &buffer)
        buffer.append(layout.rawValue)
    }

    private func writeSegment(_ parameters: inout Parameters, to buffer: inout ByteBuffer) {
        guard let segment else { return }
        parameters.begin("segment", in: &buffer)
        PercentEncoding.encode(segment, for: .queryComponent, into: &buffer)
    }

    private func writeSections(
        _ query: ListQuery,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        for section in query.sections ?? [] {
            parameters.begin("section", in: &buffer)
            PercentEncoding.encode(section.id.rawValue, for: .queryComponent, into: &buffer)
        }
    }

    private func writeColumns(
        _ query: ListQuery,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        guard let columns = query.columns else { return }
        parameters.begin("columns", in: &buffer)
        writeNames(columns.map { schema.columns[$0].id }, to: &buffer)
    }

    private func writeSort(
        _ keys: [SortKey],
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        parameters.begin("sort", in: &buffer)
        // No order of one's own is the order by id.
        let keys = keys.isEmpty ? [SortKey(.id)] : keys
        for (index, key) in keys.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            if key.direction == .descending { buffer.append(UInt8(ascii: "-")) }
            switch key.field {
            case .id: buffer.append("id" as StaticString)
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

    private func writeGrouping(
        _ query: ListQuery,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        guard query.grouping != schema.defaultGrouping || query.mergesSections else { return }
        parameters.begin("group", in: &buffer)
        guard let grouping = query.grouping else { return buffer.append("none" as StaticString) }
        writeNames([schema.columns[grouping.column].id], to: &buffer)
        if grouping.part == .initial { buffer.append(":initial" as StaticString) }
    }

    private func writeNames(_ names: [String], to buffer: inout ByteBuffer) {
        for (index, name) in names.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            PercentEncoding.encode(name, for: .queryComponent, into: &buffer)
        }
    }

    private func writeShape(
        _ shape: ListQuery.Shape,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        switch shape {
        case .flow(let limit):
            guard namesLimit || limit != schema.defaultLimit else { return }
            parameters.begin("limit", in: &buffer)
            buffer.append(decimal: limit)
        case .peek(let limit, let rows):
            if place != .sections {
                parameters.begin("per_section", in: &buffer)
                buffer.append(decimal: rows)
            }
            guard limit != ListParameters.sectionLimit(schema, rows: rows) else { return }
            parameters.begin("limit", in: &buffer)
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
            parameters.begin("after", in: &buffer)
            cursor.write(to: &buffer)
        case .before(let cursor):
            parameters.begin("before", in: &buffer)
            cursor.write(to: &buffer)
        case .offset(let offset):
            parameters.begin("page", in: &buffer)
            buffer.append(decimal: offset / max(1, limit) + 1)
        }
    }
}

extension ListQuery {
    fileprivate func from(_ start: Start) -> ListQuery {
        var query = self
        query.start = start
        return query
    }

    fileprivate func sorted(_ keys: [SortKey]) -> ListQuery {
        var query = from(.beginning)
        query.sort = keys
        return query
    }

    fileprivate func limited(to limit: Int) -> ListQuery {
        var query = from(.beginning)
        switch shape {
        case .flow: query.shape = .flow(limit: limit)
        case .peek(_, let rows): query.shape = .peek(limit: limit, rows: rows)
        }
        return query
    }
}
