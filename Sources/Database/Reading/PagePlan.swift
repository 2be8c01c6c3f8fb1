import Listings

/// A page before its models are made: its records, their sections, and the positions of its links.
struct PagePlan {
    struct Place {
        let section: SectionKey
        /// The position of a row, or nil for the section itself.
        let row: Cursor.Row?
        var side = Cursor.Side.front
    }
    struct Section {
        let key: SectionKey
        /// Positions in the batch.
        var records: [Int]
        var isContinued = false
        var hasMore = false
        /// Nil without rows.
        var last: Place?
    }

    let batch: RecordBatch
    var sections: [Section]
    /// Nil if there is no previous page.
    var previous: Place?
    /// Nil if there is no next page.
    var next: Place?
}

extension RecordCollector {
    func place(of record: Int, in order: [SortKey]) -> PagePlan.Place {
        let values = order.map { key in
            switch key.field {
            case .id: value(record: record, cell: RecordBatch.idCell)
            case .column(let column):
                value(record: record, cell: RecordBatch.firstColumnCell + column)
            }
        }
        return PagePlan.Place(section: section(of: record), row: Cursor.Row(values: values))
    }

    /// Throws if the rows on both sides of a page edge have equal ids.
    ///
    /// Duplicates within the page are found when it ends.
    ///
    /// Only foreign tables can have duplicates, if no constraint forbids them and checking their key
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

    /// `records` are positions in the order of the list, `order` is that within a section.
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
            sections[index].last = sections[index].records.last.map { place(of: $0, in: order) }
        }
        return sections
    }
}
