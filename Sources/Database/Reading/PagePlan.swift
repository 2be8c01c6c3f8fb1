import Listings

struct PagePlan {
    struct Location {
        let section: SectionKey
        let row: Cursor.Row?
        var side = Cursor.Side.front
    }
    struct Section {
        let key: SectionKey
        var records: [Int]
        var isContinued = false
        var hasMore = false
        var last: Location?
    }

    let batch: RecordBatch
    var sections: [Section]
    var previous: Location?
    var next: Location?
}

extension RecordCollector {
    func location(of record: Int, in order: [SortKey]) -> PagePlan.Location {
        let values = order.map { key in
            switch key.field {
            case .id: value(record: record, cell: RecordBatch.idCell)
            case .column(let column):
                value(record: record, cell: RecordBatch.firstColumnCell + column)
            }
        }
        return PagePlan.Location(section: section(of: record), row: Cursor.Row(values: values))
    }

    /// Only foreign tables can have such rows, if no constraint forbids them and checking their key
    /// took too long.
    func checkNeighbours(
        of records: Range<Int>,
        _ table: TableDescription
    ) throws(ReadingError) {
        guard !table.isStored, !records.isEmpty else { return }
        let id = RecordBatch.idCell
        for (first, second) in [
            (records.lowerBound - 1, records.lowerBound),
            (records.upperBound - 1, records.upperBound),
        ] where first >= 0 && second < count {
            let value = value(record: first, cell: id)
            guard value == self.value(record: second, cell: id) else { continue }
            let text = if case .text(let text) = value { text } else { "\(value)" }
            throw .engine(.duplicateRow(text, first: first, second: second))
        }
    }

    func sections(of records: [Int], order: [SortKey]) -> [PagePlan.Section] {
        var sections: [PagePlan.Section] = []
        var last: Int?
        for record in records {
            if let last, isSameSection(last, record) {
                sections[sections.count - 1].records.append(record)
            } else {
                sections.append(PagePlan.Section(key: section(of: record), records: [record]))
            }
            last = record
        }
        for index in sections.indices {
            sections[index].last = sections[index].records.last.map { location(of: $0, in: order) }
        }
        return sections
    }
}
