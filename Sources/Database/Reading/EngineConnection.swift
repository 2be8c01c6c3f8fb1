package import Listings

/// Only one thread at a time may use it.
package protocol EngineConnection: AnyObject {
    var dialect: any Dialect { get }

    func prepareReading(_ sql: String) throws(ReadingError) -> any EngineStatement

    func explain(_ sql: String) throws(ReadingError) -> Explanation

    /// The statement reads the rows in any order.
    ///
    /// True if no other row is read.
    func finds(_ sql: String, by column: String) throws(ReadingError) -> Bool

    /// The engine need not use an index of exactly this definition.
    func hasIndex(on target: String) throws(ReadingError) -> Bool

    /// Nil if the engine assigns names.
    func indexName(_ wish: String, besides others: Set<String>) throws(ReadingError) -> String?

    /// Gathers the rows that contain words, for statements that look them up until the next call.
    ///
    /// The results of a few searches are cached.
    ///
    /// Each term has one word or the bounds of a range; see ``Dialect/search(for:in:_:_:)``.
    /// Returns the number of rows with one of the words of each term. Nil if gathering is
    /// impossible.
    ///
    /// - Complexity: O(rows with any of the words).
    func gather(_ words: [[CellValue]], in table: TableDescription) throws(ReadingError) -> Int?

    /// Whether a row contains a word outside one column.
    ///
    /// There is one word, or the bounds of a range of words. The column is counted among the
    /// searchable ones. Nil if it cannot be determined.
    ///
    /// - Complexity: O(rows with one of the words).
    func hasWord(
        _ words: [CellValue],
        besidesColumn column: Int,
        of table: TableDescription
    ) throws(ReadingError) -> Bool?

    /// Counts rows common to several indexes, without reading other rows.
    func joiningIndexes(
        _ count: () throws(ReadingError) -> Int
    ) throws(ReadingError) -> Int?

    func wordIndex(
        for query: ListQuery,
        of table: TableDescription,
        _ schema: ListSchema
    ) throws(ReadingError) -> IndexProposal

    /// The time at which running statements fail with ``ReadingError/outOfTime``. Nil leaves the
    /// engine's own limit.
    var deadline: ContinuousClock.Instant? { get set }
}

extension EngineConnection {
    package func gather(
        _ words: [[CellValue]],
        in table: TableDescription
    ) throws(ReadingError) -> Int? { nil }

    package func hasWord(
        _ words: [CellValue],
        besidesColumn column: Int,
        of table: TableDescription
    ) throws(ReadingError) -> Bool? { nil }

    package func joiningIndexes(
        _ count: () throws(ReadingError) -> Int
    ) throws(ReadingError) -> Int? { nil }

    package func wordIndex(
        for query: ListQuery,
        of table: TableDescription,
        _ schema: ListSchema
    ) throws(ReadingError) -> IndexProposal { .notIndexable }

    /// An earlier deadline that is already set stays in force.
    package func within<R, E: Error>(
        _ budget: Duration,
        _ body: () throws(E) -> R
    ) throws(E) -> R {
        let outer = deadline
        let inner = ContinuousClock.now + budget
        deadline = outer.map { min($0, inner) } ?? inner
        defer { deadline = outer }
        return try body()
    }
}

/// One call runs a statement to its end.
///
/// The loops over records and cells belong to the engine.
package protocol EngineStatement: AnyObject {
    /// After an error the collector holds the records read before.
    func collect(
        _ values: [CellValue],
        into collector: inout RecordCollector
    ) throws(ReadingError) -> Int

    /// Returns the values as used in positions; see ``EncodedKey``.
    func values(
        _ values: [CellValue],
        as forms: [ValueForm]
    ) throws(ReadingError) -> [CellValue]
}

package enum ValueForm: Hashable, Sendable {
    case stored(ColumnType)
    case keyed(ColumnType)
    case key
    case initialKey

    package var type: ColumnType {
        switch self {
        case .stored(let type), .keyed(let type): type
        case .key, .initialKey: .text
        }
    }
}

extension EngineStatement {
    func count(_ values: [CellValue]) throws(ReadingError) -> Int {
        guard case .integer(let count) = try self.values(values, as: [.stored(.integer)]).first
        else {
            return 0
        }
        return Int(count)
    }
}

package struct Explanation: Sendable {
    package enum Sorting: Hashable, Sendable {
        case nothing
        /// An index has the first steps of the order. Only records equal in them are sorted.
        case partly
        case everything
    }

    package let lines: [String]
    package let sorting: Sorting
    /// Whether indexes find the records, so that no others are read.
    package let finds: Bool
    /// Whether an index is read, and the table only for its entries.
    package let usesIndex: Bool

    package init(
        lines: [String],
        sorting: Sorting,
        finds: Bool = true,
        usesIndex: Bool = true
    ) {
        self.lines = lines
        self.sorting = sorting
        self.finds = finds
        self.usesIndex = usesIndex
    }
}

package enum ReadingError: Error, Hashable, Sendable {
    case outOfTime
    case engine(SourceError)
    case unknownSection(SectionID)
    /// The values of a cursor do not fit the order it is used with.
    case strangePosition
    case listGone(String)

    package var sourceError: SourceError {
        switch self {
        case .outOfTime: .outOfTime
        case .engine(let error): error
        case .unknownSection(let id): .unknownSection(id.rawValue)
        case .strangePosition: .invalidCursor
        case .listGone(let list): .unavailable(reason: "the database has no list \(list) any more")
        }
    }
}

package protocol TableSession: AnyObject {
    var waitsForPrograms: Bool { get }

    var dialect: any Dialect { get }

    /// The reading of the table, between ``beginReading()`` and ``endReading()``.
    ///
    /// No statement of it may be used or released later.
    var reading: TableQueries { get }

    func version() throws(ReadingError) -> ListVersion

    /// The current version, without waiting for another program; nil if reading always has to wait.
    func immediateVersion() throws(ReadingError) -> ListVersion?

    /// Begins to read a consistent state of the list, until ``endReading()``.
    ///
    /// If it throws, nothing has begun.
    func beginReading() throws(ReadingError) -> ListVersion

    func endReading()

    /// Notes that rows have equal or missing keys, so that the list has to be described again.
    func refuteKey() -> Bool
}

extension TableSession {
    package var waitsForPrograms: Bool { false }

    package func refuteKey() -> Bool { false }
}
