import Bytes
import HTTP
import Listings
import Rendering
import Synchronization

/// Those that are on every page are cached.
final class ListLinks: PageLinks, Sendable {
    let addresses: Address
    let request: ListRequest
    let linksCells: Bool
    /// The parameters of the request, because most of them are the same in all links.
    private let printed: [(id: ListParameter, value: String)]
    private let printedIDs: ParameterSet
    private let cache = Mutex(LinkCache())

    init(_ request: ListRequest, under addresses: Address, linksCells: Bool = false) {
        // Links say neither where a page was found nor how many rows came before it.
        let request = request.with { ($0.around, $0.rowsBefore) = (nil, nil) }
        self.addresses = addresses
        self.request = request
        self.linksCells = linksCells
        var (printed, ids) = ([(id: ListParameter, value: String)](), ParameterSet([]))
        for id in ListParameter.allCases {
            guard let value = Parameter.printers[id.rawValue](request) else { continue }
            printed.append((id, value))
            ids.insert(id)
        }
        (self.printed, printedIDs) = (printed, ids)
    }

    private var schema: ListSchema { request.schema }
    private var query: ListQuery { request.query }
    private var place: ListPlace { request.place }
    private var suffix: PageFormat? { request.representation.suffix }

    func write(_ link: PageLink, to buffer: inout ByteBuffer) {
        guard let number = LinkCache.number(of: link) else { return writeNew(link, to: &buffer) }
        cache.withLock { cache in
            cache.write(number, to: &buffer) { writeNew(link, to: &$0) }
        }
    }

    private func writeNew(_ link: PageLink, to buffer: inout ByteBuffer) {
        switch link {
        case .list: write(at: .list, keeping: [.segment], to: &buffer)
        case .current: write(at: place, suffix, to: &buffer)
        case .first: write(at: place, suffix, without: .starts, to: &buffer)
        case .after(let cursor, let rows):
            write(startingBy: .after, cursor, rows: rows, to: &buffer)
        case .before(let cursor, let rows):
            write(startingBy: .before, cursor, rows: rows, to: &buffer)
        case .last: write(startingBy: .before, to: &buffer) { $0.append(Parameter.end) }
        case .page(let page):
            write(startingBy: .page, to: &buffer) { $0.append(decimal: page) }
        case .letter(let letter):
            write(startingBy: .jump, to: &buffer) {
                PercentEncoding.encode(letter, for: .queryComponent, into: &$0)
            }
        case .alternate(let format):
            let links = format.isTable && place == .sections ? linksToRows : self
            links.writeAlternate(format, to: &buffer)
        case .sorted(let keys):
            let links = linksToRows
            links.write([.sort], without: .starts, to: &buffer) { $0.query.sort = keys }
        case .grouped(let grouping): writeGrouped(grouping, to: &buffer)
        case .merged: writeGrouped(nil, isMerged: true, to: &buffer)
        case .limited(let limit):
            write([.limit], without: .starts, to: &buffer) {
                $0.query.shape = $0.query.shape.limited(to: limit)
            }
        case .narrowed(let filters, let search):
            write([.search, .conditions], without: .starts, to: &buffer) {
                ($0.query.filters, $0.query.search) = (filters, search)
            }
        case .unrelated(let filter):
            write([.conditions], without: .starts, to: &buffer) {
                $0.query.related.removeAll { $0 == filter }
            }
        case .counted(let counting):
            write([.count], to: &buffer) { $0.query.counting = counting }
        case .facet(let path): write([.facets], to: &buffer) { $0.furtherFacet = path }
        case .withoutFacet(let column):
            write([.facets], to: &buffer) { $0.query.facets.removeAll { $0 == column } }
        case .narrowingForm: writeForm(to: &buffer)
        case .section(let id): writeSection(id, from: .beginning, to: &buffer)
        case .sectionAfter(let id, let cursor): writeSection(id, from: .after(cursor), to: &buffer)
        case .sections:
            write(at: .sections, keeping: [.segment, .search, .conditions, .group], to: &buffer)
        case .schema: write(at: .schema, keeping: [.segment], to: &buffer)
        case .refresh:
            request.writeList(under: addresses, to: &buffer)
            buffer.append("/-/refresh" as StaticString)
            writeParameters(at: place == .list ? .list : .schema, to: &buffer)
        case .changes: write(at: .changes, to: &buffer)
        case .foldingSection(let key): writeFolding(key, to: &buffer)
        case .inLayout(let layout): writeLayout(layout, to: &buffer)
        }
    }

    /// Appends the address in a layout.
    ///
    /// A board has the first cards of each section.
    private func writeLayout(_ layout: PageLayout, to buffer: inout ByteBuffer) {
        guard (layout == .board) != (request.layout == .board) else {
            return write([.layout], to: &buffer) { $0.layout = layout }
        }
        let cards = 20
        write([.layout, .perSection, .limit], without: .starts, to: &buffer) { request in
            let schema = request.schema
            switch request.query.shape {
            case .flow where layout == .board:
                let sections = ListParameters.sectionLimit(schema, rows: cards)
                request.query.shape = .peek(limit: sections, rows: cards)
            case .peek(_, cards) where layout != .board:
                request.query.shape = .flow(limit: schema.defaultLimit)
            default: break
            }
            request.layout = layout
        }
    }

    // MARK: - Parameters

    private func writeParameters(
        at kind: AddressKind,
        without dropped: ParameterSet = [],
        adding added: ParameterSet = [],
        to buffer: inout ByteBuffer,
        value: (ListParameter, inout ByteBuffer) -> Void = { _, _ in }
    ) {
        let own = printedIDs.intersection(.accepted(at: kind)).subtracting(dropped)
        var separator = ParameterSeparator()
        var next = 0
        for id in own.union(added) {
            separator.begin(id, in: &buffer)
            if added.contains(id) {
                value(id, &buffer)
                continue
            }
            while printed[next].id != id { next += 1 }
            buffer.append(printed[next].value)
        }
    }

    private func write(
        at place: ListPlace,
        _ suffix: PageFormat? = nil,
        without dropped: ParameterSet = [],
        to buffer: inout ByteBuffer
    ) {
        request.writePath(place, suffix: suffix, under: addresses, to: &buffer)
        writeParameters(at: place.kind, without: dropped, to: &buffer)
    }

    private func write(
        at place: ListPlace,
        keeping parameters: ParameterSet,
        to buffer: inout ByteBuffer
    ) {
        write(
            at: place,
            without: ParameterSet(ListParameter.allCases).subtracting(parameters),
            to: &buffer
        )
    }

    private func write(
        _ parameters: ParameterSet,
        without dropped: ParameterSet = [],
        at place: ListPlace? = nil,
        to buffer: inout ByteBuffer,
        change: (inout ListRequest) -> Void
    ) {
        let changed = request.with(change)
        let place = place ?? request.place
        let kind = place.kind
        // Almost every change is one of a single parameter, which needs no array.
        var first: (id: ListParameter, value: String)?
        var (others, added) = ([(id: ListParameter, value: String)](), ParameterSet([]))
        for id in parameters.intersection(.accepted(at: kind)) {
            guard let value = Parameter.printers[id.rawValue](changed) else { continue }
            if first == nil { first = (id, value) } else { others.append((id, value)) }
            added.insert(id)
        }
        let suffix = changed.representation.suffix
        request.writePath(place, suffix: suffix, under: addresses, to: &buffer)
        writeParameters(
            at: kind,
            without: dropped.union(parameters),
            adding: added,
            to: &buffer
        ) { id, buffer in
            let printed = first?.id == id ? first : others.first { $0.id == id }
            if let printed { buffer.append(printed.value) }
        }
    }

    private func write(
        startingBy parameter: ListParameter,
        to buffer: inout ByteBuffer,
        value: (inout ByteBuffer) -> Void
    ) {
        request.writePath(place, suffix: suffix, under: addresses, to: &buffer)
        writeParameters(at: place.kind, without: .starts, adding: [parameter], to: &buffer) {
            value(&$1)
        }
    }

    private func write(
        startingBy parameter: ListParameter,
        _ cursor: Cursor,
        rows: Int?,
        to buffer: inout ByteBuffer
    ) {
        write(startingBy: parameter, to: &buffer) { buffer in
            writeCursor(cursor, to: &buffer)
            guard let rows else { return }
            buffer.append(ListParameters.rowsMark)
            buffer.append(decimal: rows)
        }
    }

    func writeCursor(_ cursor: Cursor, to buffer: inout ByteBuffer) {
        cache.withLock { $0.write(cursor, signedBy: request.list.cursorKeys, to: &buffer) }
    }

    // MARK: - Pages

    /// For the section index and the children of a row these are links to the list.
    private var linksToRows: ListLinks {
        guard place.hasOwnOrder else { return self }
        var rows = ListRequest(request.list)
        rows.representation = request.representation
        rows.query = query
        rows.query.parent = nil
        rows.query.shape = .flow(limit: schema.defaultLimit)
        rows.query.start = .beginning
        return ListLinks(rows, under: addresses)
    }

    private func writeAlternate(_ format: PageFormat, to buffer: inout ByteBuffer) {
        var dropped: ParameterSet = format.isTable ? .starts : []
        if format.isTable { dropped.insert(.perSection) }
        if format != .csv { dropped.insert(.byteOrderMark) }
        if format != .json { dropped = dropped.union([.shape, .pretty, .embed]) }
        if format != .html { dropped.insert(.layout) }
        write([.limit], without: dropped, to: &buffer) {
            $0.representation = Representation(forced: format, suffix: format)
            $0.namesLimit = false
            if format.isTable { $0.query.shape = .flow(limit: $0.schema.defaultLimit) }
        }
    }

    /// The page of one section leads to the list, because another grouping has other sections.
    private func writeGrouped(
        _ grouping: Grouping?,
        isMerged: Bool = false,
        to buffer: inout ByteBuffer
    ) {
        guard grouping != nil || !place.hasOwnOrder else {
            return linksToRows.writeGrouped(nil, isMerged: isMerged, to: &buffer)
        }
        let sections: ParameterSet = [.section, .collapsed]
        write(
            [.group, .limit],
            without: .starts.union(sections),
            at: place == .sections ? .sections : .list,
            to: &buffer
        ) {
            $0.namesLimit = false
            $0.query.grouping = grouping
            $0.query.mergesSections = isMerged
        }
    }

    private func writeFolding(_ key: SectionKey, to buffer: inout ByteBuffer) {
        // Collapsing moves the rows of a page number, but not those of a cursor.
        let dropped: ParameterSet = if case .offset = query.start { .starts } else { [] }
        write([.collapsed], without: dropped, to: &buffer) { $0.query.collapsed.toggle(key) }
        guard request.format == .html else { return }
        buffer.append("#s-" as StaticString)
        let id = schema.id(of: key, in: query.grouping).rawValue
        PercentEncoding.encode(id, for: .pathSegment, into: &buffer)
    }

    private func writeSection(
        _ id: SectionID,
        from start: ListQuery.Start,
        to buffer: inout ByteBuffer
    ) {
        guard start != .beginning || request.namesLimit || query.shape.pagesSections else {
            return write(at: .section(id), without: .starts, to: &buffer)
        }
        write(.starts.union([.limit]), at: .section(id), to: &buffer) {
            $0.representation = Representation(forced: $0.format, suffix: nil)
            $0.namesLimit = false
            $0.query.start = start
            if $0.query.shape.pagesSections {
                $0.query.shape = .flow(limit: $0.schema.defaultLimit)
            }
        }
    }

    private func writeForm(to buffer: inout ByteBuffer) {
        request.writeList(under: addresses, to: &buffer)
        buffer.append("/-/narrow" as StaticString)
        guard let suffix else { return }
        buffer.append(UInt8(ascii: "."))
        buffer.append(suffix.rawValue)
    }

    func address(of link: PageLink) -> String {
        var buffer = ByteBuffer()
        write(link, to: &buffer)
        return buffer.text()
    }

    func parameters(of link: PageLink) -> [(name: String, value: String)] {
        let address = address(of: link)
        // Links written by this type always parse.
        guard let mark = address.utf8.firstIndex(of: UInt8(ascii: "?")),
            let items = try? QueryItems(rawQuery: String(address[address.index(after: mark)...]))
        else { return [] }
        var parameters = items.map { (name: $0.name, value: $0.value ?? "") }
        if case .section(let id) = place { parameters.append(("section", id.rawValue)) }
        return parameters
    }

    var newRowAddress: String {
        var buffer = ByteBuffer()
        request.writeList(under: addresses, to: &buffer)
        buffer.append("/-/new" as StaticString)
        writeParameters(at: place.kind, to: &buffer)
        return buffer.text()
    }

    func writeRow(_ id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        // Only an id with a dot can look like one with a suffix.
        guard !id.isEmpty, !id.hasDot, writeRowStem(to: &buffer) else {
            return write(at: .row(String(decoding: id)), keeping: [.segment], to: &buffer)
        }
        PercentEncoding.encode(id, for: .pathSegment, into: &buffer)
    }

    func writeAddress(_ address: String, to buffer: inout ByteBuffer) {
        buffer.append(addresses.own(address))
    }

    func writeRowStem(to buffer: inout ByteBuffer) -> Bool {
        guard request.query.segment == nil else { return false }
        request.writeList(under: addresses, to: &buffer)
        buffer.append(UInt8(ascii: "/"))
        return true
    }

    func writeChildren(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        write(at: .children(String(decoding: id)), keeping: [.segment], to: &buffer)
    }

    func writeCell(column: Int, ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        let place = ListPlace.cell(String(decoding: id), column: schema.columns[column].id)
        write(at: place, keeping: [.segment], to: &buffer)
    }

    func writeToggle(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        let id = String(decoding: id)
        write([.expanded], to: &buffer) { $0.query.expanded.toggle(id) }
        guard request.format == .html else { return }
        buffer.append("#r-" as StaticString)
        PercentEncoding.encode(id, for: .pathSegment, into: &buffer)
    }

    func writeAction(
        _ name: String,
        ofRow id: borrowing Span<UInt8>,
        to buffer: inout ByteBuffer
    ) {
        request.writeList(under: addresses, to: &buffer)
        request.writeInner(String(decoding: id), to: &buffer)
        request.writeName(name, suffix: nil, to: &buffer)
        writeWayBack(to: &buffer)
    }

    func writeBulkAction(_ name: String, to buffer: inout ByteBuffer) {
        request.writeList(under: addresses, to: &buffer)
        buffer.append("/-/actions/" as StaticString)
        request.writeName(name, suffix: nil, to: &buffer)
        writeWayBack(to: &buffer)
    }

    private func writeWayBack(to buffer: inout ByteBuffer) {
        switch place {
        case .list, .section: writeParameters(at: .list, to: &buffer)
        case .sections, .row, .children, .cell, .schema, .changes:
            writeParameters(at: .schema, to: &buffer)
        }
    }
}

extension Array where Element: Equatable {
    fileprivate mutating func toggle(_ element: Element) {
        if let index = firstIndex(of: element) {
            remove(at: index)
        } else {
            append(element)
        }
    }
}

extension ListQuery.Shape {
    fileprivate var pagesSections: Bool {
        if case .peek = self { true } else { false }
    }

    fileprivate func limited(to limit: Int) -> ListQuery.Shape {
        switch self {
        case .flow: .flow(limit: limit)
        case .peek(_, let rows): .peek(limit: limit, rows: rows)
        }
    }
}
