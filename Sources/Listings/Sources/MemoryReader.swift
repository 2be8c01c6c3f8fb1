/// Reads a ``MemorySource``; keeps the orders asked for last.
final class MemoryReader<Model>: ListReader
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// A model's place in an order.
    private struct Place {
        let section: SectionKey
        let values: [CellValue]
        let model: Int
    }

    /// What an order depends on.
    private struct OrderKey: Hashable {
        let grouping: Grouping?
        let sort: [SortKey]
        let sections: [SectionKey]?
    }

    private static var keptOrders: Int { 8 }

    let source: MemorySource<Model>
    private var orders: [(key: OrderKey, places: [Place])] = []
    private var scratch = CellBuffer()

    init(_ source: MemorySource<Model>) { self.source = source }

    func version() throws(SourceError) -> ListVersion { source.version }

    func read(_ query: ListQuery, into page: inout Page) throws(SourceError) {
        let places = try places(for: query)
        page.begin(query, version: source.version)
        page.total = Count(places.count * source.registration.rowsPerModel)
        switch query.shape {
        case .flow(let limit): readFlow(query, places, limit, &page)
        case .peek(let limit, let rows): readPeek(query, places, limit, rows, &page)
        }
        try page.end()
    }

    func readRow(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        let query = ListQuery(grouping: grouping, shape: .flow(limit: 1))
        page.begin(query, version: source.version)
        guard let (model, part) = source.registration.model(ofRow: id),
            let index = source.indexOfID[model]
        else { return false }
        let place = place(of: index, grouping: grouping, keys: [])
        page.beginSection(source.schema.section(place.section, grouping: grouping))
        page.append(part: part, of: source.models[index], using: source.registration)
        try page.end()
        return true
    }

    private func readFlow(
        _ query: ListQuery,
        _ places: [Place],
        _ limit: Int,
        _ page: inout Page
    ) {
        let order = RowOrder(query)
        let range = window(
            source.registration.start(query.start, limit: limit),
            count: places.count,
            limit: source.registration.modelCount(forRows: limit),
            precedes: { compare(places[$0], $1, order) < 0 },
            follows: { compare(places[$0], $1, order) > 0 }
        )
        var index = range.lowerBound
        while index < range.upperBound {
            let section = places[index].section
            let end = places[index...].firstIndex { $0.section != section } ?? places.count
            let stop = min(end, range.upperBound)
            let begin = places[..<index].lastIndex { $0.section != section }.map { $0 + 1 } ?? 0
            append(section, places[begin..<end], rows: index..<stop, query, limit, &page)
            index = stop
        }
        guard !range.isEmpty else {
            page.previous = range.lowerBound > 0 ? query.start.cursor : nil
            return
        }
        let signature = query.signature(of: source.name, schema: source.schema)
        if range.upperBound < places.count {
            page.next = cursor(places[range.upperBound - 1], signature)
        }
        if range.lowerBound > 0 { page.previous = cursor(places[range.lowerBound], signature) }
    }

    private func readPeek(
        _ query: ListQuery,
        _ places: [Place],
        _ limit: Int,
        _ rows: Int,
        _ page: inout Page
    ) {
        var starts: [Int] = []
        for index in places.indices where starts.isEmpty || startsSection(index, in: places) {
            starts.append(index)
        }
        let range = window(
            query.start,
            count: starts.count,
            limit: limit,
            precedes: { RowOrder.compare(places[starts[$0]].section, $1.section) < 0 },
            follows: { RowOrder.compare(places[starts[$0]].section, $1.section) > 0 }
        )
        for position in range {
            let begin = starts[position]
            let end = position + 1 < starts.count ? starts[position + 1] : places.count
            let stop = min(end, begin + source.registration.modelCount(forRows: rows))
            let section = places[begin].section
            append(section, places[begin..<end], rows: begin..<stop, query, rows, &page)
        }
        guard !range.isEmpty else {
            page.previous = range.lowerBound > 0 ? query.start.cursor : nil
            return
        }
        let signature = query.signature(of: source.name, schema: source.schema)
        func cursor(_ position: Int) -> Cursor {
            Cursor(signature: signature, section: places[starts[position]].section, row: nil)
        }
        if range.upperBound < starts.count { page.next = cursor(range.upperBound - 1) }
        if range.lowerBound > 0 { page.previous = cursor(range.lowerBound) }
    }

    private func append(
        _ key: SectionKey,
        _ all: ArraySlice<Place>,
        rows: Range<Int>,
        _ query: ListQuery,
        _ limit: Int,
        _ page: inout Page
    ) {
        page.beginSection(
            source.schema.section(key, grouping: query.grouping),
            isContinued: rows.lowerBound > all.startIndex
        )
        for index in rows {
            page.append(source.models[all[index].model], using: source.registration)
        }
        let hasMore = rows.upperBound < all.endIndex
        let signature = query.restricted(to: key, limit: limit)
            .signature(of: source.name, schema: source.schema)
        let next = hasMore && !rows.isEmpty ? cursor(all[rows.upperBound - 1], signature) : nil
        page.updateSection {
            $0.count = Count(all.count * source.registration.rowsPerModel)
            $0.hasMore = hasMore
            $0.next = next
        }
    }

    /// The positions a page shows, of `count` positions in order.
    private func window(
        _ start: ListQuery.Start,
        count: Int,
        limit: Int,
        precedes: (Int, Cursor) -> Bool,
        follows: (Int, Cursor) -> Bool
    ) -> Range<Int> {
        switch start {
        case .beginning:
            return 0..<min(limit, count)
        case .offset(let offset):
            let begin = min(offset, count)
            return begin..<min(begin + limit, count)
        case .after(let cursor):
            let begin = firstPosition(of: count) { follows($0, cursor) }
            return begin..<min(begin + limit, count)
        case .before(let cursor):
            let end = firstPosition(of: count) { !precedes($0, cursor) }
            return end < limit ? 0..<min(limit, count) : end - limit..<end
        }
    }

    /// The first position for which a condition holds that holds for all behind it.
    private func firstPosition(of count: Int, where holds: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func startsSection(_ index: Int, in places: [Place]) -> Bool {
        places[index].section != places[index - 1].section
    }

    private func compare(_ place: Place, _ cursor: Cursor, _ order: RowOrder) -> Int {
        let section = RowOrder.compare(place.section, cursor.section)
        return section != 0 ? section : order.compare(place.values, cursor.row?.values ?? [])
    }

    private func cursor(_ place: Place, _ signature: UInt32) -> Cursor {
        Cursor(
            signature: signature,
            section: place.section,
            row: Cursor.Row(values: place.values)
        )
    }

    private func places(for query: ListQuery) throws(SourceError) -> [Place] {
        let key = OrderKey(grouping: query.grouping, sort: query.order, sections: query.sections)
        if let known = orders.firstIndex(where: { $0.key == key }) {
            let order = orders.remove(at: known)
            orders.append(order)
            return order.places
        }
        let order = RowOrder(query)
        var places = source.models.indices.map {
            place(of: $0, grouping: query.grouping, keys: order.keys)
        }
        if let sections = query.sections {
            let present = Set(places.map(\.section))
            if let absent = sections.first(where: { !present.contains($0) }) {
                throw .unknownSection(absent.id.rawValue)
            }
            places.removeAll { !sections.contains($0.section) }
        }
        places.sort { left, right in
            let section = RowOrder.compare(left.section, right.section)
            return section != 0 ? section < 0 : order.compare(left.values, right.values) < 0
        }
        if orders.count == Self.keptOrders { orders.removeFirst() }
        orders.append((key, places))
        return places
    }

    private func place(of index: Int, grouping: Grouping?, keys: [SortKey]) -> Place {
        let model = source.models[index]
        let whole = SectionInfo(id: SectionKey.whole.id, key: .whole, header: nil)
        scratch.removeAll()
        // A model whose controller fails has no values to be placed by: it stands with the nulls,
        // and its page says what happened.
        let isWritten =
            (try? source.registration.write(Context(model: model, section: whole), &scratch)) != nil
        func value(_ column: Int) -> CellValue {
            let id = source.schema.columns[column].id
            let cell = source.registration.columns.firstIndex { $0.id == id }
            guard isWritten, let cell, cell < scratch.count else { return .null }
            return scratch.value(cell)
        }
        let values = keys.map { key in
            switch key.field {
            case .id: idValue(of: model)
            case .column(let column): value(column)
            }
        }
        let section = grouping.map { SectionKey.value($0.key(for: value($0.column))) } ?? .whole
        return Place(section: section, values: values, model: index)
    }

    /// The section that a model stands in.
    func section(of index: Int, grouping: Grouping?) -> SectionInfo {
        let key = place(of: index, grouping: grouping, keys: []).section
        return source.schema.section(key, grouping: grouping)
    }

    private func idValue(of model: Model) -> CellValue {
        let text = model.id.description
        return CellValue.parse(text, as: source.schema.idType) ?? .text(text)
    }
}

extension ListQuery.Start {
    /// The position the page is read from, if it is read from one.
    var cursor: Cursor? {
        switch self {
        case .after(let cursor), .before(let cursor): cursor
        case .beginning, .offset: nil
        }
    }
}
