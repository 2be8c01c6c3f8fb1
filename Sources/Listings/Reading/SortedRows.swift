/// The rows of a snapshot in an order that a query asks for, sorted once.
///
/// - Complexity: O(n log n) to make, for which every model is read; pages are then read as from any other
/// sequence.
struct SortedRows: RowSequence, Sendable {
    /// A model's place in the order.
    private struct Place: Sendable {
        let section: Int
        let values: [CellValue]
        /// Which of the snapshot's models it is.
        let model: Int
        /// The rows it yields.
        let rowCount: Int
    }

    /// A section as the order has it.
    private struct Part: Sendable {
        var info: SectionInfo
        /// The same as its rows are told of it, made once for all pages.
        var place: SectionPlace?
        /// What cursors name it by.
        let key: SectionKey
        /// Where it stands in a snapshot's own order.
        let label: OrderLabel?
        var rows = 0..<0
        var count = 0

        init(_ node: SectionNode, epoch: UInt64) {
            info = node.info
            key = node.place(epoch: epoch)
            label = node.label
            count = node.tally.parts
        }

        init(_ key: SectionKey, _ info: SectionInfo) {
            self.info = info
            self.key = key
            label = nil
        }
    }

    /// Models of a storage that follow one another, and which of the snapshot's the first is.
    private struct Stretch: Sendable {
        let first: Int
        let storage: any RunStorage
        let start: Int
    }

    /// The rows that a model yields at most.
    let width: Int
    private let knownLetters = MadeOnce<[String]>()
    private var stretches: [Stretch] = []
    private let order: RowOrder
    private let epoch: UInt64
    private var places: [Place] = []
    private var parts: [Part] = []

    var count: Int { places.count }
    private(set) var rowCount = 0
    var sectionCount: Int { parts.count }

    /// Sorts the rows of a snapshot.
    ///
    /// - Parameters:
    ///   - snapshot: The list.
    ///   - query: Its order, its grouping and its sections.
    ///   - schema: What the list has.
    ///   - usesOwnSections: Whether rows stay in the sections the snapshot has.
    ///   - epoch: Names the life of the list.
    ///   - time: When reading has to end.
    /// - Throws: ``SourceError/unknownSection(_:)`` when a section of the query has no row.
    init(
        _ snapshot: Snapshot,
        _ query: ListQuery,
        schema: ListSchema,
        usesOwnSections: Bool,
        epoch: UInt64,
        within time: TimeLimit
    ) throws(SourceError) {
        width = snapshot.sections.tally.width
        self.epoch = epoch
        order = RowOrder(query)
        var reader = PlaceReader(
            schema: schema,
            grouping: query.grouping,
            keys: order.keys,
            time: time
        )
        var partOfKey: [SectionKey: Int] = [:]
        try snapshot.sections.visit { (before, node) throws(SourceError) in
            if usesOwnSections {
                var part = Part(node, epoch: epoch)
                if query.collapsed.contains(node.info.key) { part.info.isCollapsed = true }
                parts.append(part)
                guard !part.info.isCollapsed else { return true }
            }
            let own = parts.count - 1
            var model = before.models
            var first = model
            for piece in node.rows.pieces(in: 0..<node.rows.count) {
                let start = piece.range.lowerBound
                stretches.append(Stretch(first: first, storage: piece.storage, start: start))
                first += piece.count
            }
            try reader.read(node) { key, values, rowCount in
                let section = usesOwnSections ? own : partOfKey[key, default: parts.count]
                if section == parts.count {
                    partOfKey[key] = section
                    parts.append(Part(key, schema.section(key, grouping: query.grouping)))
                }
                places.append(
                    Place(section: section, values: values, model: model, rowCount: rowCount)
                )
                model += 1
            }
            return true
        }
        if let sections = query.sections {
            let present = Set(parts.map(\.info.key))
            if let absent = sections.first(where: { !present.contains($0) }) {
                throw .unknownSection(absent.id.rawValue)
            }
            keep(Set(sections))
        }
        if !usesOwnSections {
            sortParts()
            collapse(Set(query.collapsed))
        }
        try sort(within: time)
        cutIntoParts(countsRows: !usesOwnSections)
        rowCount = places.reduce(0) { $0 + $1.rowCount }
    }

    private mutating func sort(within time: TimeLimit) throws(SourceError) {
        let order = order
        var time = time
        do {
            try places.sort { left, right in
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
        places = places.compactMap { place in
            position[place.section].map {
                Place(
                    section: $0,
                    values: place.values,
                    model: place.model,
                    rowCount: place.rowCount
                )
            }
        }
    }

    /// Takes the rows of sections out, and counts them.
    private mutating func collapse(_ sections: Set<SectionKey>) {
        guard !sections.isEmpty else { return }
        for index in parts.indices where sections.contains(parts[index].info.key) {
            parts[index].info.isCollapsed = true
        }
        for place in places where parts[place.section].info.isCollapsed {
            parts[place.section].count += place.rowCount
        }
        places.removeAll { parts[$0.section].info.isCollapsed }
    }

    private mutating func sortParts() {
        let sorted = parts.indices.sorted {
            RowOrder.compare(parts[$0].key, parts[$1].key) < 0
        }
        var position = Array(repeating: 0, count: parts.count)
        for (new, old) in sorted.enumerated() { position[old] = new }
        parts = sorted.map { parts[$0] }
        places = places.map {
            Place(
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
            while end < places.count, places[end].section == index { end += 1 }
            parts[index].rows = start..<end
            parts[index].place = SectionPlace(parts[index].info)
            if countsRows, !parts[index].info.isCollapsed {
                parts[index].count = places[start..<end].reduce(0) { $0 + $1.rowCount }
            }
            start = end
        }
    }

    // MARK: - Reading

    func section(at index: Int) -> SequenceSection {
        SequenceSection(
            place: parts[index].place ?? SectionPlace(parts[index].info),
            rows: parts[index].rows,
            count: parts[index].count
        )
    }

    func sectionIndex(ofRow row: Int) -> Int { places[row].section }

    func model(ofRow row: Int) -> Int { places[row].model }

    func partCount(ofRow row: Int) -> Int { places[row].rowCount }

    var letters: [String] { knownLetters.get { foundLetters() } }

    func leadingValue(ofRow row: Int) -> CellValue {
        if case .value(let key) = parts[places[row].section].key { return key }
        return places[row].values[0]
    }

    func firstRow(after cursor: Cursor) throws(SourceError) -> Int {
        let compare = try comparison(withRow: cursor)
        return Self.first(of: places.count) { compare($0) > 0 }
    }

    func firstRow(notBefore cursor: Cursor) throws(SourceError) -> Int {
        let compare = try comparison(withRow: cursor)
        return Self.first(of: places.count) { compare($0) >= 0 }
    }

    func firstSection(after cursor: Cursor) throws(SourceError) -> Int {
        let compare = try comparison(with: cursor)
        return Self.first(of: parts.count) { compare(parts[$0]) > 0 }
    }

    func firstSection(notBefore cursor: Cursor) throws(SourceError) -> Int {
        let compare = try comparison(with: cursor)
        return Self.first(of: parts.count) { compare(parts[$0]) >= 0 }
    }

    func cursor(ofRow row: Int, _ signature: UInt32) -> Cursor {
        Cursor(
            signature: signature,
            section: parts[places[row].section].key,
            row: Cursor.Row(values: places[row].values)
        )
    }

    func cursor(ofSection index: Int, _ signature: UInt32) -> Cursor {
        Cursor(signature: signature, section: parts[index].key, row: nil)
    }

    func append(_ rows: Range<Int>, to page: inout Page) throws(SourceError) {
        // Memory that stays: the positions of a section's rows are asked for once each.
        var positions = page.takePositions()
        defer { page.keep(positions) }
        if let only = stretches.first, stretches.count == 1 {
            let offset = only.start - only.first
            for row in rows { positions.append(places[row].model + offset) }
            return try append(positions, of: only, to: &page)
        }
        var current = 0
        for row in rows {
            let model = places[row].model
            // The last stretch that begins at the model or before it has it.
            let index = Self.first(of: stretches.count) { stretches[$0].first > model } - 1
            if index != current {
                try append(positions, of: stretches[current], to: &page)
                positions.removeAll(keepingCapacity: true)
                current = index
            }
            positions.append(stretches[index].start + model - stretches[index].first)
        }
        if !rows.isEmpty { try append(positions, of: stretches[current], to: &page) }
    }

    private func append(
        _ positions: [Int],
        of stretch: Stretch,
        to page: inout Page
    ) throws(SourceError) {
        if !positions.isEmpty { try stretch.storage.append(at: positions, to: &page) }
    }

    /// Compares rows with a position.
    private func comparison(withRow cursor: Cursor) throws(SourceError) -> (Int) -> Int {
        let compare = try comparison(with: cursor)
        return { row in
            let section = compare(parts[places[row].section])
            guard section == 0, let values = cursor.row?.values else { return section }
            return order.compare(places[row].values, values)
        }
    }

    /// Compares sections with the one of a position.
    private func comparison(with cursor: Cursor) throws(SourceError) -> (Part) -> Int {
        guard parts.first?.label != nil else {
            return { RowOrder.compare($0.key, cursor.section) }
        }
        guard case .value(let value) = cursor.section else { throw .expiredCursor }
        let label = try CursorPlace(value, epoch: epoch).section
        return { part in
            guard let own = part.label else { return 0 }
            return own < label ? -1 : own == label ? 0 : 1
        }
    }
}
