import Listings

struct SortedRowsBuilder {
    typealias Location = SortedRows.Location

    struct Part {
        let info: SectionInfo
        let key: SectionKey
        let label: OrderLabel?
        var rows = 0..<0
        var count = 0

        init(_ node: SectionNode, epoch: UInt64) {
            info = node.info
            key = node.location(epoch: epoch)
            label = node.label
            count = node.tally.parts
        }

        init(_ key: SectionKey, _ info: SectionInfo) {
            self.info = info
            self.key = key
            label = nil
        }

        /// Complete after all rows are sorted.
        var done: SortedRows.Part {
            SortedRows.Part(
                location: SectionLocation(info, isLasting: true),
                key: key,
                label: label,
                rows: rows,
                count: count
            )
        }
    }

    let tally: RopeSummary
    let epoch: UInt64
    let order: RowOrder
    private(set) var stretches: [SortedRows.Stretch] = []
    private(set) var locations: [Location] = []
    private(set) var parts: [Part] = []

    var positions: [Int] {
        locations.map { location in
            let stretch = stretches[SortedRows.stretch(ofModel: location.model, among: stretches)]
            return stretch.start + location.model - stretch.first
        }
    }

    /// If `usesOwnSections`, rows stay in the sections of the snapshot.
    ///
    /// Throws ``SourceError/unknownSection(_:)`` if a section of the query has no row.
    init(
        _ snapshot: Snapshot,
        _ query: ListQuery,
        schema: ListSchema,
        usesOwnSections: Bool,
        epoch: UInt64,
        within time: Deadline
    ) throws(SourceError) {
        tally = snapshot.sections.tally
        self.epoch = epoch
        order = RowOrder(query)
        var reader = SortKeyReader(
            schema: schema,
            grouping: query.grouping,
            keys: order.keys,
            time: time
        )
        var partOfKey: [SectionKey: Int] = [:]
        try snapshot.sections.visit { (before, node) throws(SourceError) in
            if usesOwnSections {
                parts.append(Part(node, epoch: epoch))
            }
            let own = parts.count - 1
            var model = before.models
            var first = model
            for piece in node.rows.pieces(in: 0..<node.rows.count) {
                let start = piece.range.lowerBound
                stretches.append(
                    SortedRows.Stretch(first: first, storage: piece.storage, start: start)
                )
                first += piece.count
            }
            try reader.read(node) { key, values, rowCount in
                let section = usesOwnSections ? own : partOfKey[key, default: parts.count]
                if section == parts.count {
                    partOfKey[key] = section
                    parts.append(Part(key, schema.section(key, grouping: query.grouping)))
                }
                locations.append(
                    Location(section: section, values: values, model: model, rowCount: rowCount)
                )
                model += 1
            }
            return true
        }
        if let sections = query.sections {
            let present = Set(parts.map(\.info.key))
            if let absent = sections.first(where: { !present.contains($0) }) {
                throw .unknownSection(schema.id(of: absent, in: query.grouping).rawValue)
            }
            keep(Set(sections))
        }
        if !usesOwnSections { sortParts() }
        try sort(within: time)
        cutIntoParts(countsRows: !usesOwnSections)
    }

    private mutating func sort(within time: Deadline) throws(SourceError) {
        let order = order
        var time = time
        do {
            try locations.sort { left, right in
                try time.count()
                return left.section != right.section
                    ? left.section < right.section
                    : order.compare(left.values, right.values) < 0
            }
        } catch {
            throw .outOfTime
        }
    }

    private mutating func keep(_ sections: Set<SectionKey>) {
        var position: [Int?] = []
        var kept: [Part] = []
        for part in parts {
            let isKept = sections.contains(part.info.key)
            position.append(isKept ? kept.count : nil)
            if isKept { kept.append(part) }
        }
        parts = kept
        locations = locations.compactMap { location in
            position[location.section].map {
                Location(
                    section: $0,
                    values: location.values,
                    model: location.model,
                    rowCount: location.rowCount
                )
            }
        }
    }

    private mutating func sortParts() {
        let sorted = parts.indices.sorted {
            RowOrder.compare(parts[$0].key, parts[$1].key) < 0
        }
        var position = Array(repeating: 0, count: parts.count)
        for (new, old) in sorted.enumerated() { position[old] = new }
        parts = sorted.map { parts[$0] }
        locations = locations.map {
            Location(
                section: position[$0.section],
                values: $0.values,
                model: $0.model,
                rowCount: $0.rowCount
            )
        }
    }

    private mutating func cutIntoParts(countsRows: Bool) {
        var start = 0
        for index in parts.indices {
            var end = start
            while end < locations.count, locations[end].section == index { end += 1 }
            parts[index].rows = start..<end
            if countsRows {
                parts[index].count = locations[start..<end].reduce(0) { $0 + $1.rowCount }
            }
            start = end
        }
    }
}
