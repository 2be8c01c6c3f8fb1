import Listings
import Locks

/// The rows of a snapshot, sorted once in the order of a query.
///
/// - Complexity: O(n log n) to create, which reads every model. Pages then read like any other
///   sequence.
final class SortedRows: RowSequence, Sendable {
    struct Location: Sendable {
        let section: Int
        let values: [CellValue]
        let model: Int
        let rowCount: Int
    }

    struct Part: Sendable {
        let location: SectionLocation
        let key: SectionKey
        /// Nil for a section of a grouping.
        let label: OrderLabel?
        let rows: Range<Int>
        let count: Int
    }

    /// Consecutive models of a storage, with the index of the first among the snapshot's models.
    struct Stretch: Sendable {
        let first: Int
        let storage: any RunStorage
        let start: Int
    }

    let width: Int
    let hasUniqueIDs: Bool
    let rowCount: Int
    /// Whether the list itself collapses a section.
    ///
    /// The rows of that section still have positions.
    let hasCollapsed: Bool
    private let knownLetters = SingleFlight<[String]>()
    private let stretches: [Stretch]
    private let order: RowOrder
    private let epoch: UInt64
    private let locations: [Location]
    private let positions: [Int]
    private let parts: [Part]

    var count: Int { locations.count }
    var sectionCount: Int { parts.count }

    init(_ made: SortedRowsBuilder) {
        width = made.tally.width
        hasUniqueIDs = made.tally.hasUniqueIDs
        rowCount = made.locations.reduce(0) { $0 + $1.rowCount }
        stretches = made.stretches
        order = made.order
        epoch = made.epoch
        locations = made.locations
        positions = made.positions
        parts = made.parts.map(\.done)
        hasCollapsed = made.parts.contains(where: \.info.isCollapsed)
    }

    func section(at index: Int) -> SequenceSection {
        SequenceSection(
            location: parts[index].location,
            rows: parts[index].rows,
            count: parts[index].count
        )
    }

    func sectionIndex(ofRow row: Int) -> Int { locations[row].section }

    func model(ofRow row: Int) -> Int { locations[row].model }

    func partCount(ofRow row: Int) -> Int { locations[row].rowCount }

    var letters: [String] { knownLetters.get { foundLetters() } }

    func leadingValue(ofRow row: Int) -> CellValue {
        if case .value(let key) = parts[locations[row].section].key { return key }
        return locations[row].values[0]
    }

    func firstRow(after cursor: Cursor) throws(SourceError) -> Int {
        let compare = try comparison(withRow: cursor)
        return Self.first(of: locations.count) { compare($0) > 0 }
    }

    func firstRow(notBefore cursor: Cursor) throws(SourceError) -> Int {
        let compare = try comparison(withRow: cursor)
        return Self.first(of: locations.count) { compare($0) >= 0 }
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
            section: parts[locations[row].section].key,
            row: Cursor.Row(values: locations[row].values)
        )
    }

    func cursor(ofSection index: Int, _ signature: UInt32) -> Cursor {
        Cursor(signature: signature, section: parts[index].key, row: nil)
    }

    func append(_ rows: Range<Int>, to page: inout Page) throws(SourceError) {
        let positions = positions
        var row = rows.lowerBound
        while row < rows.upperBound {
            let stretch = stretch(ofRow: row)
            var end = rows.upperBound
            if stretches.count > 1 {
                end = row + 1
                while end < rows.upperBound, self.stretch(ofRow: end) == stretch { end += 1 }
            }
            try append(positions.span.extracting(row..<end), of: stretches[stretch].storage, &page)
            row = end
        }
    }

    private func append(
        _ positions: borrowing Span<Int>,
        of storage: any RunStorage,
        _ page: inout Page
    ) throws(SourceError) {
        try storage.append(at: positions, to: &page)
    }

    private func stretch(ofRow row: Int) -> Int {
        stretches.count > 1 ? Self.stretch(ofModel: locations[row].model, among: stretches) : 0
    }

    static func stretch(ofModel model: Int, among stretches: [Stretch]) -> Int {
        first(of: stretches.count) { stretches[$0].first > model } - 1
    }

    private func comparison(withRow cursor: Cursor) throws(SourceError) -> (Int) -> Int {
        let compare = try comparison(with: cursor)
        return { [self] row in
            let section = compare(parts[locations[row].section])
            guard section == 0, let values = cursor.row?.values else { return section }
            return order.compare(locations[row].values, values)
        }
    }

    private func comparison(with cursor: Cursor) throws(SourceError) -> (Part) -> Int {
        guard parts.first?.label != nil else {
            return { RowOrder.compare($0.key, cursor.section) }
        }
        guard case .value(let value) = cursor.section else { throw .expiredCursor }
        let label = try CursorPosition(value, epoch: epoch).section
        return { part in
            guard let own = part.label else { return 0 }
            return own < label ? -1 : own == label ? 0 : 1
        }
    }
}

/// A cache of the recently used orders and selections of a list, shared by all its readers.
final class SortCache: Sendable {
    struct SortKeyHash: Hashable {
        let version: ListVersion
        let grouping: Grouping?
        let sort: [SortKey]
        let sections: [SectionKey]?
        let usesOwnSections: Bool
    }

    struct SelectionKey: Hashable {
        let order: SortKeyHash
        let mergesSections: Bool
        let filters: [Filter]
        let search: TextSearch?
        let facets: [Int]
        let aggregates: [Aggregate]
        let statistics: Int?
        let collapsed: [SectionKey]
    }

    private struct Values<Key: Hashable, Value: Sendable>: Sendable where Key: Sendable {
        private var version: ListVersion?
        private var cache = LRUCache<Key, SingleFlight<Value>>(capacity: 8)

        mutating func value(of key: Key, _ version: ListVersion) -> SingleFlight<Value> {
            if self.version != version {
                cache.removeAll()
                self.version = version
            }
            if let known = cache.take(key) { return known }
            let new = SingleFlight<Value>()
            cache.insert(new, for: key)
            return new
        }
    }

    private let orders = Locked(Values<SortKeyHash, SortedRows>())
    private let selections = Locked(Values<SelectionKey, FilterResult>())

    /// Removes those of other versions.
    func order(_ key: SortKeyHash) -> SingleFlight<SortedRows> {
        orders.withLock { $0.value(of: key, key.version) }
    }

    /// Removes those of other versions.
    func selection(_ key: SelectionKey) -> SingleFlight<FilterResult> {
        selections.withLock { $0.value(of: key, key.order.version) }
    }
}

extension RowSequence {
    /// The row count if there is none.
    func firstRow(at letter: String, _ order: IndexTitles) -> Int {
        Self.first(of: count) { !order.isBefore(leadingValue(ofRow: $0), letter: letter) }
    }

    /// The section count if there is none.
    func firstSection(at letter: String, _ order: IndexTitles) throws(SourceError) -> Int {
        let row = firstRow(at: letter, order)
        return row == count ? sectionCount : sectionIndex(ofRow: row)
    }

    var letters: [String] { foundLetters() }

    func foundLetters() -> [String] {
        var letters: [String] = []
        var row = 0
        while row < count {
            let letter = IndexTitles.letter(of: leadingValue(ofRow: row))
            if let letter { letters.append(letter) }
            let rest = row
            row +=
                Self.first(of: count - rest) {
                    IndexTitles.letter(of: leadingValue(ofRow: rest + $0)) != letter
                }
        }
        return letters
    }

    /// The condition holds for all later positions too.
    static func first(of count: Int, where holds: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// A value that the first caller computes while other callers wait.
final class SingleFlight<Value: Sendable>: Sendable {
    private let value = Locked<Value?>(nil)
    private let maker = Locked(())

    var made: Value? { value.withLock { $0 } }

    /// If `make` throws, the next caller computes the value.
    func get<E: Error>(_ make: () throws(E) -> Value) throws(E) -> Value {
        try maker.withLock { (_) throws(E) in
            if let made { return made }
            let new = try make()
            value.withLock { $0 = new }
            return new
        }
    }
}
