import Bytes
import HTTP
import Listings
import Rendering

/// The addresses of one page of a list; only this type and ``Routes`` know them.
///
/// Every address is canonical: it names the differences from the list's defaults, in a fixed order.
struct URLBuilder: PageLinks {
    /// The part of the list that the page shows.
    enum Place: Hashable, Sendable {
        case list
        case section(SectionID)
        case sections
        case row(String)
        /// The rows below a row, as a page.
        case children(String)
        /// The cell of a column in a row.
        case cell(String, column: String)
        case schema
        /// The changes of a page of the list.
        case changes

        /// Whether it pages rows or sections that cannot be sorted or grouped.
        fileprivate var hasOwnOrder: Bool {
            switch self {
            case .sections, .children: true
            case .list, .section, .row, .cell, .schema, .changes: false
            }
        }
    }

    let addresses: Address
    let list: String
    let schema: ListSchema
    var place: Place
    let query: ListQuery
    /// The keys that sign the cursors in addresses.
    let cursorKeys: CursorKeys
    /// The format, if the address named it by a suffix.
    let suffix: PageFormat?
    let format: PageFormat
    /// Whether addresses name even the default limit, because tables without a limit are sent
    /// whole.
    var namesLimit = false
    /// The segment of the list; nil for the default segment.
    var segment: String?
    var layout = PageLayout.table
    /// Whether the source of the list can read the bytes of cells.
    var linksCells = false
    /// Whether the page is CSV with a byte order mark.
    var hasByteOrderMark = false
    /// The shape of JSON; nil for that of pages.
    var shape: JSONShape?
    /// Whether JSON has lines and indentation.
    var isPretty = false

    func write(_ link: PageLink, to buffer: inout ByteBuffer) {
        switch link {
        case .list: writeBare(.list, to: &buffer)
        case .current: write(query, to: &buffer)
        case .first: write(from: .beginning, to: &buffer)
        case .after(let cursor, let rows):
            write(from: .after(cursor), to: &buffer) { $0.rowsBefore = rows }
        case .before(let cursor, let rows):
            write(from: .before(cursor), to: &buffer) { $0.rowsBefore = rows }
        case .page(let page):
            write(from: .offset((page - 1) * query.shape.limit), to: &buffer)
        case .alternate(let format):
            (format.isTable && place == .sections ? links(toRows: query) : self)
                .writeAlternate(format, to: &buffer)
        case .sorted(let keys):
            if place.hasOwnOrder {
                let links = links(toRows: query)
                links.write(links.query.sorted(keys), to: &buffer)
            } else {
                write(from: .beginning, to: &buffer) { $0.sort = keys }
            }
        case .grouped(let grouping): writeGrouped(grouping, to: &buffer)
        case .merged: writeGrouped(nil, isMerged: true, to: &buffer)
        case .limited(let limit):
            write(from: .beginning, to: &buffer) { $0.shape = $0.shape.limited(to: limit) }
        case .narrowed(let filters, let search):
            write(from: .beginning, to: &buffer) { $0.conditions = (filters, search) }
        case .unrelated(let filter):
            write(from: .beginning, to: &buffer) { $0.dropped = filter }
        case .counted(let counting):
            write(from: query.start, to: &buffer) { $0.counting = counting }
        case .facet(let path): write(from: query.start, to: &buffer) { $0.facet = path }
        case .letter(let letter): write(from: .letter(letter), to: &buffer)
        case .narrowingForm: writeForm(to: &buffer)
        case .section(let id): writeSection(id, from: .beginning, to: &buffer)
        case .sectionAfter(let id, let cursor): writeSection(id, from: .after(cursor), to: &buffer)
        case .sections:
            writePath(.sections, suffix: nil, to: &buffer)
            var parameters = Parameters()
            writeSegment(&parameters, to: &buffer)
            let own = variant(of: query)
            writeConditions(query, own, &parameters, to: &buffer)
            writeGrouping(query, own, &parameters, to: &buffer)
        case .schema: writeBare(.schema, to: &buffer)
        case .refresh: writeRefresh(to: &buffer)
        case .changes:
            var variant = variant(of: query)
            variant.place = .changes
            writePath(.changes, suffix: nil, to: &buffer)
            writeParameters(query, variant, to: &buffer)
        case .foldingSection(let key): writeFolding(key, to: &buffer)
        case .inLayout(let layout):
            var variant = variant(of: query)
            variant.layout = layout
            writePath(place, suffix: suffix, to: &buffer)
            writeParameters(query, variant, to: &buffer)
        }
    }

    func writeAction(
        _ name: String,
        ofRow id: borrowing Span<UInt8>,
        to buffer: inout ByteBuffer
    ) {
        writeList(to: &buffer)
        buffer.append(UInt8(ascii: "/"))
        writeInner(String(decoding: id), to: &buffer)
        buffer.append("/-/" as StaticString)
        writeName(name, suffix: nil, to: &buffer)
        writeWayBack(to: &buffer)
    }

    func writeBulkAction(_ name: String, to buffer: inout ByteBuffer) {
        writeList(to: &buffer)
        buffer.append("/-/actions/" as StaticString)
        writeName(name, suffix: nil, to: &buffer)
        writeWayBack(to: &buffer)
    }

    /// Appends the parameters of an action's address, which name the page to return to.
    private func writeWayBack(to buffer: inout ByteBuffer) {
        var variant = variant(of: query)
        switch place {
        case .list: break
        case .section: variant.place = .list
        case .sections, .row, .children, .cell, .schema, .changes: variant.place = .schema
        }
        writeParameters(query, variant, to: &buffer)
    }

    /// Appends the address that requests a refresh; its parameters name the page to return to.
    private func writeRefresh(to buffer: inout ByteBuffer) {
        var variant = variant(of: query)
        if place != .list { variant.place = .schema }
        writeList(to: &buffer)
        buffer.append("/-/refresh" as StaticString)
        writeParameters(query, variant, to: &buffer)
    }

    func writeRow(_ id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        // Only an id with a dot can look like one with a suffix.
        guard !id.isEmpty, !id.hasDot, writeRowStem(to: &buffer) else {
            return writeBare(.row(String(decoding: id)), to: &buffer)
        }
        PercentEncoding.encode(id, for: .pathSegment, into: &buffer)
    }

    func writeAddress(_ address: String, to buffer: inout ByteBuffer) {
        buffer.append(addresses.own(address))
    }

    func writeRowStem(to buffer: inout ByteBuffer) -> Bool {
        guard segment == nil else { return false }
        writeList(to: &buffer)
        buffer.append(UInt8(ascii: "/"))
        return true
    }

    func writeChildren(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        writeBare(.children(String(decoding: id)), to: &buffer)
    }

    func writeCell(column: Int, ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        let place = Place.cell(String(decoding: id), column: schema.columns[column].id)
        writeBare(place, to: &buffer)
    }

    func writeToggle(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        let id = String(decoding: id)
        var query = query
        if let index = query.expanded.firstIndex(of: id) {
            query.expanded.remove(at: index)
        } else {
            query.expanded.append(id)
        }
        write(query, to: &buffer)
        guard format == .html else { return }
        buffer.append("#r-" as StaticString)
        PercentEncoding.encode(id, for: .pathSegment, into: &buffer)
    }

    /// Appends the address of a place without parameters of the query.
    private func writeBare(_ place: Place, to buffer: inout ByteBuffer) {
        writePath(place, suffix: nil, to: &buffer)
        var parameters = Parameters()
        writeSegment(&parameters, to: &buffer)
    }

    func writeCursor(_ cursor: Cursor, to buffer: inout ByteBuffer) {
        cursor.write(signedBy: cursorKeys, to: &buffer)
    }

    /// Returns links to rows in a selectable order.
    ///
    /// For the section index and the children of a row these are links to the list.
    private func links(toRows query: ListQuery) -> URLBuilder {
        guard place.hasOwnOrder else { return self }
        var query = query.from(.beginning)
        query.parent = nil
        query.shape = .flow(limit: schema.defaultLimit)
        return URLBuilder(
            addresses: addresses,
            list: list,
            schema: schema,
            place: .list,
            query: query,
            cursorKeys: cursorKeys,
            suffix: suffix,
            format: format
        )
    }

    // MARK: - Paths

    /// Appends the path of the list as a prefix, without a suffix.
    ///
    /// Only the last segment of a path can look like one with a suffix.
    func writeList(to buffer: inout ByteBuffer) {
        buffer.append(addresses.base)
        buffer.append(UInt8(ascii: "/"))
        PercentEncoding.encode(list, for: .pathSegment, into: &buffer)
    }

    private func writePath(_ place: Place, suffix: PageFormat?, to buffer: inout ByteBuffer) {
        guard place != .list else {
            buffer.append(addresses.base)
            buffer.append(UInt8(ascii: "/"))
            return writeName(list, suffix: suffix, to: &buffer)
        }
        writeList(to: &buffer)
        switch place {
        case .list: break
        case .row(let id):
            buffer.append(UInt8(ascii: "/"))
            writeName(id, suffix: suffix, to: &buffer)
        case .section(let id):
            buffer.append("/-/sections/" as StaticString)
            writeName(id.rawValue, suffix: suffix, to: &buffer)
        case .children(let id):
            buffer.append(UInt8(ascii: "/"))
            writeInner(id, to: &buffer)
            buffer.append("/-/" as StaticString)
            writeName(ActionResource.children, suffix: suffix, to: &buffer)
        case .cell(let id, let column):
            buffer.append(UInt8(ascii: "/"))
            writeInner(id, to: &buffer)
            buffer.append("/-/cells/" as StaticString)
            PercentEncoding.encode(column, for: .pathSegment, into: &buffer)
        case .sections:
            buffer.append("/-/" as StaticString)
            writeName("sections", suffix: suffix, to: &buffer)
        case .schema:
            buffer.append("/-/" as StaticString)
            writeName("schema", suffix: suffix, to: &buffer)
        case .changes:
            buffer.append("/-/" as StaticString)
            writeName("changes", suffix: suffix, to: &buffer)
        }
    }

    /// Writes an id before further segments; see ``FormatSuffix/name(ofInner:)``.
    private func writeInner(_ id: String, to buffer: inout ByteBuffer) {
        PercentEncoding.encode(id, for: .pathSegment, into: &buffer)
        guard FormatSuffix.needsSuffix(id) else { return }
        buffer.append(UInt8(ascii: "."))
        buffer.append(format.rawValue)
    }

    /// Writes a name and the suffix.
    ///
    /// A name that looks like one with a suffix, or like a dot segment, gets the page's format.
    private func writeName(_ name: String, suffix: PageFormat?, to buffer: inout ByteBuffer) {
        PercentEncoding.encode(name, for: .pathSegment, into: &buffer)
        let isMistakable =
            name.isEmpty
            || name.utf8.span.hasDot
                && (name == "." || name == ".." || FormatSuffix(name).format != nil)
        guard let suffix = suffix ?? (isMistakable ? format : nil) else { return }
        buffer.append(UInt8(ascii: "."))
        buffer.append(suffix.rawValue)
    }

    private func write(_ query: ListQuery, to buffer: inout ByteBuffer) {
        writePath(place, suffix: suffix, to: &buffer)
        writeParameters(query, to: &buffer)
    }

    /// Appends the address of the page of the same query with another start.
    private func write(
        from start: ListQuery.Start,
        to buffer: inout ByteBuffer,
        changing change: (inout Variant) -> Void = { _ in }
    ) {
        var variant = variant(of: query)
        variant.start = start
        change(&variant)
        writePath(place, suffix: suffix, to: &buffer)
        writeParameters(query, variant, to: &buffer)
    }

    private func writeAlternate(_ format: PageFormat, to buffer: inout ByteBuffer) {
        writePath(place, suffix: format, to: &buffer)
        var variant = variant(of: query)
        variant.namesLimit = false
        if format != .csv { variant.hasByteOrderMark = false }
        if format != .json { (variant.jsonShape, variant.isPretty) = (nil, false) }
        if format != .html { variant.layout = .table }
        variant.embeds = format == .json
        if format.isTable {
            variant.start = .beginning
            variant.shape = .flow(limit: schema.defaultLimit)
        }
        writeParameters(query, variant, to: &buffer)
    }

    /// Appends the address of the list in another grouping, without a restriction to sections.
    ///
    /// The page of one section leads to the list, because another grouping has other sections. The
    /// section index stays one, unless the list has no sections.
    private func writeGrouped(
        _ grouping: Grouping?,
        isMerged: Bool = false,
        to buffer: inout ByteBuffer
    ) {
        guard grouping != nil || !place.hasOwnOrder else {
            return links(toRows: query).writeGrouped(nil, isMerged: isMerged, to: &buffer)
        }
        var variant = variant(of: query)
        variant.place = place == .sections ? .sections : .list
        variant.start = .beginning
        variant.namesLimit = false
        variant.regrouped = .some(grouping)
        variant.mergesSections = isMerged
        writePath(variant.place, suffix: suffix, to: &buffer)
        writeParameters(query, variant, to: &buffer)
    }

    /// Appends the address that collapses or expands a section, and scrolls to it.
    private func writeFolding(_ key: SectionKey, to buffer: inout ByteBuffer) {
        var query = query
        if let index = query.collapsed.firstIndex(of: key) {
            query.collapsed.remove(at: index)
        } else {
            query.collapsed.append(key)
        }
        // Collapsing moves the rows of a page number, but not those of a cursor.
        if case .offset = query.start { query.start = .beginning }
        write(query, to: &buffer)
        guard format == .html else { return }
        buffer.append("#s-" as StaticString)
        PercentEncoding.encode(sectionID(of: key).rawValue, for: .pathSegment, into: &buffer)
    }

    /// Returns the id of a section in the current grouping.
    func sectionID(of key: SectionKey) -> SectionID { schema.id(of: key, in: query.grouping) }

    private func writeSection(
        _ id: SectionID,
        from start: ListQuery.Start,
        to buffer: inout ByteBuffer
    ) {
        var variant = variant(of: query)
        variant.place = .section(id)
        variant.start = start
        variant.namesLimit = false
        if !query.shape.pagesRows { variant.shape = .flow(limit: schema.defaultLimit) }
        writePath(variant.place, suffix: nil, to: &buffer)
        writeParameters(query, variant, to: &buffer)
    }
}

extension Span where Element == UInt8 {
    fileprivate var hasDot: Bool {
        for index in indices where self[index] == UInt8(ascii: ".") { return true }
        return false
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
}

extension ListQuery.Shape {
    fileprivate func limited(to limit: Int) -> ListQuery.Shape {
        switch self {
        case .flow: .flow(limit: limit)
        case .peek(_, let rows): .peek(limit: limit, rows: rows)
        }
    }
}

extension URLBuilder {
    /// The address of the form for a new row; its parameters name the page to return to.
    var newRowAddress: String {
        var buffer = ByteBuffer()
        writeList(to: &buffer)
        buffer.append("/-/new" as StaticString)
        writeParameters(query, to: &buffer)
        return buffer.text()
    }

    /// Returns the address of the list in another segment, without parameters of the query.
    func address(ofSegment id: String?) -> String {
        var links = self
        links.segment = id
        var buffer = ByteBuffer()
        links.write(.list, to: &buffer)
        return buffer.text()
    }
}

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
        var hasByteOrderMark: Bool
        var jsonShape: JSONShape?
        var isPretty: Bool
        /// The filters that replace those of the query.
        var conditions: (filters: [Filter], search: TextSearch?)?
        /// The condition on another list that the address has not.
        var dropped: RelatedFilter?
        /// Whether rows have rows of other lists inside.
        var embeds = true
        /// The order that replaces that of the query.
        var sort: [SortKey]?
        var counting: ListQuery.Counting
        /// The facet that is counted besides those of the query.
        var facet: String?
        /// The number of rows before the cursor, for people.
        var rowsBefore: Int?
        /// The grouping that replaces that of the query, with all its sections.
        var regrouped: Grouping??
        /// Whether the new grouping merges the list's own sections.
        var mergesSections = false
    }

    /// Returns the variant of a query without differences.
    func variant(of query: ListQuery) -> Variant {
        Variant(
            place: place,
            start: query.start,
            shape: query.shape,
            layout: layout,
            namesLimit: namesLimit,
            hasByteOrderMark: hasByteOrderMark,
            jsonShape: shape,
            isPretty: isPretty,
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
        case .cell:
            return
        case .schema:
            return writePretty(variant, &parameters, to: &buffer)
        case .row:
            writeColumns(query, &parameters, to: &buffer)
            writeEmbedding(query, variant, &parameters, to: &buffer)
            return writePretty(variant, &parameters, to: &buffer)
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
            writeEmbedding(query, variant, &parameters, to: &buffer)
        }
        if variant.hasByteOrderMark {
            parameters.begin(.byteOrderMark, in: &buffer)
            buffer.append(UInt8(ascii: "1"))
        }
        if let shape = variant.jsonShape, variant.place != .changes {
            parameters.begin(.shape, in: &buffer)
            buffer.append(shape.rawValue)
        }
        writePretty(variant, &parameters, to: &buffer)
        writeCounts(query, variant, &parameters, to: &buffer)
        writeShape(variant, &parameters, to: &buffer)
        writeStart(variant.start, limit: variant.shape.limit, &parameters, to: &buffer)
        if let rows = variant.rowsBefore {
            buffer.append(ListParameters.rowsMark)
            buffer.append(decimal: rows)
        }
        guard variant.layout != .table, variant.place != .sections else { return }
        parameters.begin(.layout, in: &buffer)
        buffer.append(variant.layout.rawValue)
    }

    private func writeEmbedding(
        _ query: ListQuery,
        _ variant: Variant,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        guard let embedding = query.embedding, variant.embeds, variant.place != .changes else {
            return
        }
        parameters.begin(.embed, in: &buffer)
        PercentEncoding.encode(embedding.text, for: .queryComponent, into: &buffer)
    }

    /// Whether the start of a page is the last parameter of its address.
    var endsWithStart: Bool {
        switch place {
        case .list, .section, .sections: layout == .table
        case .row, .children, .cell, .schema, .changes: false
        }
    }

    private func writePretty(
        _ variant: Variant,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        guard variant.isPretty, variant.place != .changes else { return }
        parameters.begin(.pretty, in: &buffer)
        buffer.append(UInt8(ascii: "1"))
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
        guard let fields = query.fields ?? query.columns?.map(RowField.column) else { return }
        parameters.begin(.columns, in: &buffer)
        writeNames(fields.map(schema.name), to: &buffer)
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
        let mergesSections =
            variant.regrouped == nil ? query.mergesSections : variant.mergesSections
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
            let isPage = offset.isMultiple(of: max(1, limit))
            parameters.begin(isPage ? .page : .offset, in: &buffer)
            buffer.append(decimal: isPage ? offset / max(1, limit) + 1 : offset)
        case .letter(let letter):
            parameters.begin(.jump, in: &buffer)
            PercentEncoding.encode(letter, for: .queryComponent, into: &buffer)
        }
    }
}
