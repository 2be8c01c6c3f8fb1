import Listings

/// A page before its models are made: the records, the sections they are in, and the way on.
struct PageOutline {
    /// A position in the order.
    struct Place {
        let section: SectionKey
        /// Nil for the place of the section itself.
        let row: Cursor.Row?
        var side = Cursor.Side.front
    }
    /// A section as far as it is on the page.
    struct Section {
        let key: SectionKey
        /// Its records, as positions in the batch.
        var records: [Int]
        var isContinued = false
        var hasMore = false
        /// The place of its last row on the page; nil without rows.
        var last: Place?
    }

    let batch: RecordBatch
    var sections: [Section]
    /// The first place of the page when something precedes it.
    var previous: Place?
    /// The last place of the page when something follows it.
    var next: Place?
}

extension RecordCollector {
    /// The position of a record in an order.
    func place(of record: Int, in order: [SortKey]) -> PageOutline.Place {
        let values = order.map { key in
            switch key.field {
            case .id: value(record: record, cell: RecordBatch.idCell)
            case .column(let column):
                value(record: record, cell: RecordBatch.firstColumnCell + column)
            }
        }
        return PageOutline.Place(section: section(of: record), row: Cursor.Row(values: values))
    }

    /// Cuts records into sections where their key changes.
    ///
    /// - Parameters:
    ///   - records: Positions in the order of the list.
    ///   - order: The order inside a section.
    /// - Returns: The sections in their order, none without records.
    func sections(of records: [Int], order: [SortKey]) -> [PageOutline.Section] {
        var sections: [PageOutline.Section] = []
        var last: Int?
        for record in records {
            if let last, isSameSection(last, record) {
                sections[sections.count - 1].records.append(record)
            } else {
                sections.append(PageOutline.Section(key: section(of: record), records: [record]))
            }
            last = record
        }
        for index in sections.indices {
            sections[index].last = sections[index].records.last.map { place(of: $0, in: order) }
        }
        return sections
    }
}
