package import Listings

/// A session with an engine for reading lists.
///
/// Only one thread at a time may use it.
package protocol EngineConnection: AnyObject {
    /// The SQL of the engine.
    var dialect: any Dialect { get }

    /// Prepares a statement, which the caller owns.
    func prepareReading(_ sql: String) throws(ReadingError) -> any EngineStatement

    /// The engine's plan for a statement.
    func explain(_ sql: String) throws(ReadingError) -> Explanation

    /// Whether an index finds the rows that meet a condition on a column, assuming a table of many
    /// rows.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads the rows in any order.
    ///   - column: The name of the column.
    /// - Returns: Whether no other row is read.
    /// - Throws: ``ReadingError``.
    func finds(_ sql: String, by column: String) throws(ReadingError) -> Bool

    /// Whether an index with exactly this definition exists. The engine need not use it.
    func hasIndex(on target: String) throws(ReadingError) -> Bool

    /// An available name for an index. Nil if the engine assigns names.
    ///
    /// - Parameters:
    ///   - wish: The preferred name.
    ///   - others: Names that are taken.
    /// - Returns: The name, unquoted.
    /// - Throws: ``ReadingError``.
    func indexName(_ wish: String, besides others: Set<String>) throws(ReadingError) -> String?

    /// Gathers the rows that contain words, for statements that look them up until the next call.
    /// The results of a few searches are cached.
    ///
    /// - Parameters:
    ///   - words: One word or the bounds of a range for each term; see
    ///     ``Dialect/search(for:in:_:_:)``.
    ///   - table: The table.
    /// - Returns: The number of rows with one of the words of each term. Nil if gathering is
    ///   impossible.
    /// - Throws: ``ReadingError``.
    /// - Complexity: O(rows with any of the words).
    func gather(_ words: [[CellValue]], in table: TableDescription) throws(ReadingError) -> Int?

    /// Discards the gathered rows, because other rows may contain the words now.
    func forgetGathered()

    /// Whether a row contains a word outside one column.
    ///
    /// - Parameters:
    ///   - words: One word, or the bounds of a range of words.
    ///   - column: The number of the column among the searchable ones.
    ///   - table: The table.
    /// - Returns: Nil if it cannot be determined.
    /// - Throws: ``ReadingError``.
    /// - Complexity: O(rows with one of the words).
    func hasWord(
        _ words: [CellValue],
        besidesColumn column: Int,
        of table: TableDescription
    ) throws(ReadingError) -> Bool?

    /// Counts rows common to several indexes, without reading other rows.
    ///
    /// - Parameter count: Runs one statement.
    /// - Returns: The count, or nil if the engine does not join indexes.
    /// - Throws: ``ReadingError``.
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
    /// Nil, because there is no word index.
    package func gather(
        _ words: [[CellValue]],
        in table: TableDescription
    ) throws(ReadingError) -> Int? { nil }

    /// Does nothing, because no rows are gathered.
    package func forgetGathered() {}

    /// Nil, because there is no word index.
    package func hasWord(
        _ words: [CellValue],
        besidesColumn column: Int,
        of table: TableDescription
    ) throws(ReadingError) -> Bool? { nil }

    /// Nil, because the engine uses one index only.
    package func joiningIndexes(
        _ count: () throws(ReadingError) -> Int
    ) throws(ReadingError) -> Int? { nil }

    /// Not indexable, because only this program can match the contents of texts.
    package func wordIndex(
        for query: ListQuery,
        of table: TableDescription,
        _ schema: ListSchema
    ) throws(ReadingError) -> IndexProposal { .notIndexable }

    /// Runs a closure within a time limit.
    ///
    /// An earlier deadline that is already set stays in force.
    ///
    /// - Parameters:
    ///   - budget: The time limit.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
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
    /// Appends all records.
    ///
    /// - Parameters:
    ///   - values: The values to bind, in the order of their placeholders; see ``EncodedKey``.
    ///   - collector: Receives the records. After an error it holds those read before.
    /// - Returns: The number of records.
    /// - Throws: ``ReadingError``.
    func collect(
        _ values: [CellValue],
        into collector: inout RecordCollector
    ) throws(ReadingError) -> Int

    /// The values of all records, one record after the other.
    ///
    /// - Parameters:
    ///   - values: The values to bind, in the order of their placeholders.
    ///   - forms: The forms of the columns of a record.
    /// - Returns: The values as used in positions; see ``EncodedKey``.
    /// - Throws: ``ReadingError``.
    func values(
        _ values: [CellValue],
        as forms: [ValueForm]
    ) throws(ReadingError) -> [CellValue]
}

/// The form of a value in the result of a statement.
package enum ValueForm: Hashable, Sendable {
    case stored(ColumnType)
    /// A stored value of a column of all types.
    case keyed(ColumnType)
    /// The key of a value; see ``Dialect/key(of:comparingBytes:)``.
    case key
    /// The key of a first letter; see ``Dialect/key(ofInitial:)``.
    case initialKey

    /// The type of the column.
    ///
    /// Text for a key.
    package var type: ColumnType {
        switch self {
        case .stored(let type), .keyed(let type): type
        case .key, .initialKey: .text
        }
    }
}

extension EngineStatement {
    /// The result of a counting statement.
    func count(_ values: [CellValue]) throws(ReadingError) -> Int {
        guard case .integer(let count) = try self.values(values, as: [.stored(.integer)]).first
        else {
            return 0
        }
        return Int(count)
    }
}

/// The engine's plan for a statement.
package struct Explanation: Sendable {
    /// The part of the result that has to be sorted.
    package enum Sorting: Hashable, Sendable {
        /// None. An index has the order.
        case nothing
        /// An index has the first steps of the order. Only records equal in them are sorted.
        case partly
        /// All records.
        case everything
    }

    /// The lines of the engine's plan.
    package let lines: [String]
    /// The part of the result that has to be sorted.
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

/// An error that prevented reading a table.
package enum ReadingError: Error, Hashable, Sendable {
    /// The time limit was exceeded.
    case outOfTime
    /// The engine reported an error, or the table is missing.
    case engine(SourceError)
    /// The requested section has no rows.
    case unknownSection(SectionID)
    /// The values of a cursor do not fit the order it is used with.
    case strangePosition
    /// The table of lists no longer contains the list.
    case listGone(String)

    /// The corresponding error for callers outside the database layer.
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

    /// The current version of the list.
    func version() throws(ReadingError) -> ListVersion

    /// The current version, without waiting for another program; nil if reading always has to wait.
    ///
    /// - Throws: ``ReadingError``, `locked` where it would have to wait now.
    func immediateVersion() throws(ReadingError) -> ListVersion?

    /// Begins to read a consistent state of the list, until ``endReading()``.
    ///
    /// If it throws, nothing has begun.
    func beginReading() throws(ReadingError) -> ListVersion

    /// Ends the reading of the state.
    func endReading()

    /// Notes that rows have equal or missing keys, so that the list has to be described again.
    ///
    /// - Returns: Whether that is possible.
    func refuteKey() -> Bool
}

extension TableSession {
    /// False, because the program reads the file of the database itself.
    package var waitsForPrograms: Bool { false }

    /// False, because no description depends on the keys of rows.
    package func refuteKey() -> Bool { false }
}
