import Listings

struct WantedRow {
    private static let stride = 256

    let id: String
    private(set) var start: ListQuery.Start?

    init(id: String) { self.id = id }

    mutating func find(
        in rows: borrowing some RowSequence,
        using page: inout Page
    ) throws(SourceError) {
        let (query, version, signature) = (page.query, page.version, page.signature())
        let width = rows.width == 1 ? Self.stride : 1
        for index in 0..<rows.sectionCount {
            let section = try rows.section(at: index)
            var model = section.rows.lowerBound
            while model < section.rows.upperBound {
                let range = model..<min(model + width, section.rows.upperBound)
                page.begin(query, version: version)
                page.beginSection(section.location.info)
                try rows.append(range, to: &page)
                for row in 0..<page.rowCount where page.id(ofRow: row) == id {
                    let first = model + (width == 1 ? 0 : row) - query.shape.limit / 2
                    start =
                        first <= 0
                        ? .beginning : .after(try rows.cursor(ofRow: first - 1, signature))
                    return
                }
                model = range.upperBound
            }
        }
    }
}

extension SnapshotReader {
    func start(
        around id: String,
        of query: ListQuery,
        using page: inout Page
    ) throws(SourceError) -> ListQuery.Start {
        wanted = WantedRow(id: id)
        defer { wanted = nil }
        try read(query, into: &page)
        guard let start = wanted?.start else { throw .unknownRow(id) }
        return start
    }
}
