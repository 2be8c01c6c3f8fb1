import Bytes
import Listings

struct PageBuilder<Rows: RowSequence>: ~Copyable {
    let rows: Rows
    private let idsDiffer: Bool
    private let addressOnly = AddressOnly()

    /// All ids are unique if `idsDiffer` says so, even if `rows` does not.
    init(_ rows: consuming Rows, idsDiffer: Bool = false) {
        self.idsDiffer = idsDiffer || rows.hasUniqueIDs
        self.rows = rows
    }

    func fill(_ page: inout Page) throws(SourceError) {
        page.hasUniqueIDs = idsDiffer && page.query.expanded.isEmpty
        if page.query.counting != .off { page.total = Count(rows.rowCount) }
        if page.query.wantsLetters, IndexTitles(page.query, page.schema) != nil {
            page.letters = rows.letters
        }
        switch page.query.shape {
        case .flow(let limit): try fillFlow(limit, &page)
        case .peek(let limit, let rowsEach): try fillPeek(limit, rowsEach, &page)
        }
        try page.end()
    }

    /// All rows of a model are on one page, so at least one model fits unless the limit is 0.
    private func modelCount(forRows limit: Int) -> Int {
        limit == 0 ? 0 : max(1, limit / rows.width)
    }

    private func modelCount(beforeRow offset: Int, _ limit: Int) -> Int {
        guard rows.width > 1, limit > 0 else { return offset }
        let (pages, rest) = offset.quotientAndRemainder(dividingBy: limit)
        return pages * modelCount(forRows: limit) + rest / rows.width
    }

    private func fillFlow(_ rowLimit: Int, _ page: inout Page) throws(SourceError) {
        let limit = modelCount(forRows: rowLimit)
        let range =
            switch page.query.start {
            case .beginning: window(from: 0, rows.count, limit)
            case .offset(let offset):
                window(from: modelCount(beforeRow: offset, rowLimit), rows.count, limit)
            case .after(let cursor):
                window(from: try rows.firstRow(after: cursor), rows.count, limit)
            case .before(let cursor):
                window(to: try rows.end(before: cursor), rows.count, limit)
            case .end: window(to: rows.count, rows.count, limit)
            case .letter(let letter):
                window(
                    from: try letterOrder(page) { rows.firstRow(at: letter, $0) },
                    rows.count,
                    limit
                )
            }
        try appendSections(of: range, rowLimit, &page)
        guard !range.isEmpty else {
            // An empty page after the last row links back to it.
            if range.lowerBound > 0 {
                page.previous = try rows.cursor(ofRow: rows.count - 1, page.signature()).back
            }
            return
        }
        let signature = page.signature()
        if range.upperBound < rows.count {
            page.next = try rows.cursor(ofRow: range.upperBound - 1, signature)
        }
        if range.lowerBound > 0 {
            page.previous = try rows.cursor(ofRow: range.lowerBound, signature)
        }
    }

    /// An empty section is on the page of the row before it, or on the first page.
    private func appendSections(
        of range: Range<Int>,
        _ limit: Int,
        _ page: inout Page
    ) throws(SourceError) {
        guard range.lowerBound == 0 || !range.isEmpty else { return }
        var index = range.lowerBound == 0 ? 0 : rows.sectionIndex(ofRow: range.lowerBound)
        while index < rows.sectionCount {
            let section = try rows.section(at: index)
            let isBehind =
                section.rows.isEmpty
                ? section.rows.lowerBound > range.upperBound
                : section.rows.lowerBound >= range.upperBound
            if isBehind { return }
            try append(section, rows: section.rows.clamped(to: range), limit, &page)
            index += 1
        }
    }

    private func fillPeek(
        _ limit: Int,
        _ rowsEach: Int,
        _ page: inout Page
    ) throws(SourceError) {
        let count = rows.sectionCount
        let range =
            switch page.query.start {
            case .beginning: window(from: 0, count, limit)
            case .offset(let offset): window(from: offset, count, limit)
            case .after(let cursor):
                window(from: try rows.firstSection(after: cursor), count, limit)
            case .before(let cursor):
                window(to: try rows.sectionEnd(before: cursor), count, limit)
            case .end: window(to: count, count, limit)
            case .letter(let letter):
                window(
                    from: try letterOrder(page) { order throws(SourceError) in
                        try rows.firstSection(at: letter, order)
                    },
                    count,
                    limit
                )
            }
        for index in range {
            let section = try rows.section(at: index)
            let shown = section.rows.prefix(modelCount(forRows: rowsEach))
            try append(section, rows: shown.startIndex..<shown.endIndex, rowsEach, &page)
        }
        guard !range.isEmpty else {
            // An empty page after the last section links back to it.
            if range.lowerBound > 0 {
                page.previous = try rows.cursor(ofSection: count - 1, page.signature()).back
            }
            return
        }
        let signature = page.signature()
        if range.upperBound < count {
            page.next = try rows.cursor(ofSection: range.upperBound - 1, signature)
        }
        if range.lowerBound > 0 {
            page.previous = try rows.cursor(ofSection: range.lowerBound, signature)
        }
    }

    private func letterOrder(
        _ page: borrowing Page,
        _ find: (IndexTitles) throws(SourceError) -> Int
    ) throws(SourceError) -> Int {
        guard let order = IndexTitles(page.query, page.schema) else { return 0 }
        return try find(order)
    }

    private func append(
        _ section: consuming SequenceSection,
        rows shown: Range<Int>,
        _ limit: Int,
        _ page: inout Page
    ) throws(SourceError) {
        let isContinued = shown.lowerBound > section.rows.lowerBound
        let hasMore = shown.upperBound < section.rows.upperBound
        let count = page.query.counting == .off ? nil : Count(section.count)
        let aggregates = section.aggregates
        // Consumed, so that no copy is retained.
        page.beginSection((consume section).location, isContinued: isContinued)
        try rows.append(shown, to: &page)
        page.updateSection {
            $0.count = count
            $0.aggregates = aggregates
            $0.hasMore = hasMore
        }
        guard hasMore, !shown.isEmpty else { return }
        let key = page.sections[page.sections.count - 1].info.key
        let next = try rows.cursor(ofRow: shown.upperBound - 1, page.signature(ofSection: key))
        page.updateSection { $0.next = next }
    }

    private func window(from start: Int, _ count: Int, _ limit: Int) -> Range<Int> {
        let begin = min(start, count)
        return begin..<begin + min(limit, count - begin)
    }

    private func window(to end: Int, _ count: Int, _ limit: Int) -> Range<Int> {
        // A page that ends too early to be full starts at the beginning instead, and is full.
        end < limit ? 0..<min(limit, count) : end - limit..<end
    }
}

extension RowSequence {
    fileprivate func end(before cursor: Cursor) throws(SourceError) -> Int {
        switch cursor.side {
        case .front: try firstRow(notBefore: cursor)
        case .back: try firstRow(after: cursor)
        }
    }

    fileprivate func sectionEnd(before cursor: Cursor) throws(SourceError) -> Int {
        switch cursor.side {
        case .front: try firstSection(notBefore: cursor)
        case .back: try firstSection(after: cursor)
        }
    }
}
