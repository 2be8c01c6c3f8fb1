package import Listings

/// A session with an engine for reading lists.
///
/// Only one thread at a time may use it.
package protocol EngineConnection: AnyObject {
    var dialect: any Dialect { get }

    /// The caller owns the statement.
    func prepareReading(_ sql: String) throws(ReadingError) -> any EngineStatement

    func explain(_ sql: String) throws(ReadingError) -> Explanation

    /// Assumes a table of many rows.
    ///
    /// The statement reads the rows in any order. True if no other row is read.
    func finds(_ sql: String, by column: String) throws(ReadingError) -> Bool

    /// The engine need not use an index of exactly this definition.
    func hasIndex(on target: String) throws(ReadingError) -> Bool

    /// An available name for an index, unquoted.
    ///
    /// Nil if the engine assigns names.
    ///
    /// `others` are names that are taken.
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

    /// Discards the gathered rows, because other rows may contain the words now.
    func forgetGathered()

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
    ///
    /// The closure runs one statement. Nil if the engine does not join indexes.
    func joiningIndexes(
        _ count: () throws(ReadingError) -> Int
    ) throws(ReadingError) -> Int?

    /// The index that would serve a query for the contents of texts.
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
    /// There is no word index.
    package func gather(
        _ words: [[CellValue]],
        in table: TableDescription
    ) throws(ReadingError) -> Int? { nil }

    package func forgetGathered() {}

    package func hasWord(
        _ words: [CellValue],
        besidesColumn column: Int,
        of table: TableDescription
    ) throws(ReadingError) -> Bool? { nil }

    /// The engine uses one index only.
    package func joiningIndexes(
        _ count: () throws(ReadingError) -> Int
    ) throws(ReadingError) -> Int? { nil }

    /// Only this program can match the contents of texts.
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

/// A prepared reading statement.
///
/// One call runs a statement to its end. The loops over records and cells belong to the engine.
package protocol EngineStatement: AnyObject {
    /// The values are in the order of their placeholders; see ``EncodedKey``.
    ///
    /// After an error the collector holds the records read before. Returns the number of records.
    func collect(
        _ values: [CellValue],
        into collector: inout RecordCollector
    ) throws(ReadingError) -> Int

    /// The values of all records, one record after the other.
    ///
    /// Returns the values as used in positions; see ``EncodedKey``.
    func values(
        _ values: [CellValue],
        as forms: [ValueForm]
    ) throws(ReadingError) -> [CellValue]
}

package enum ValueForm: Hashable, Sendable {
    case stored(ColumnType)
    /// A stored value of a column of all types.
    case keyed(ColumnType)
    /// The key of a value; see ``Dialect/key(of:comparingBytes:)``.
    case key
    /// The key of a first letter; see ``Dialect/key(ofInitial:)``.
    case initialKey

    /// Text for a key.
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
    /// The engine reported an error, or the table is missing.
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

/// The access of one reader to a table and its version.
package protocol TableSession: AnyObject {
    /// Whether each read waits for a database server.
    var waitsForPrograms: Bool { get }

    /// The reading of the table. It is replaced if the session has to reconnect.
    var reading: TableQueries { get }

    func version() throws(ReadingError) -> ListVersion

    /// The current version, without waiting for another program; nil if reading always has to wait.
    ///
    /// - Throws: ``ReadingError``, `locked` where it would have to wait now.
    func immediateVersion() throws(ReadingError) -> ListVersion?

    /// Begins to read a consistent state of the list, until ``endReading()``.
    ///
    /// If it throws, nothing has begun.
    func beginReading() throws(ReadingError) -> ListVersion

    func endReading()

    /// Notes that rows have equal or missing keys, so that the list has to be described again.
    ///
    /// False if that is impossible.
    func refuteKey() -> Bool
}

extension TableSession {
    /// The program reads the file of the database itself.
    package var waitsForPrograms: Bool { false }

    /// No description depends on the keys of rows.
    package func refuteKey() -> Bool { false }
}
