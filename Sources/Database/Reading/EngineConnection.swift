package import Listings

/// One session with an engine, as far as lists are read through it; for one thread at a time.
package protocol EngineConnection: AnyObject {
    /// How the engine spells things.
    var dialect: any Dialect { get }

    /// A new statement, kept by the caller.
    func prepareReading(_ sql: String) throws(ReadingError) -> any EngineStatement

    /// What the engine would do for a statement.
    func explain(_ sql: String) throws(ReadingError) -> Explanation

    /// Whether the rows that meet a condition on a column are found by an index, as it would be in a
    /// table of many rows.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads them in any order.
    ///   - column: The name of the column.
    /// - Returns: Whether none are looked at in vain.
    /// - Throws: ``ReadingError``.
    func finds(_ sql: String, by column: String) throws(ReadingError) -> Bool

    /// Whether there is an index that was made of a table and steps in just these words, and that the
    /// engine may leave aside.
    func hasIndex(on target: String) throws(ReadingError) -> Bool

    /// A name that an index may have; nil where the engine gives them names.
    ///
    /// - Parameters:
    ///   - wish: The name where it is free.
    ///   - others: Names that are not free.
    /// - Returns: The name, not between quotes.
    /// - Throws: ``ReadingError``.
    func indexName(_ wish: String, besides others: Set<String>) throws(ReadingError) -> String?

    /// Gathers the rows that have words, for statements that look them up until others are gathered;
    /// those of a few searches are kept.
    ///
    /// - Parameters:
    ///   - words: For each term one word, or two between which words stand; see
    ///     ``Dialect/search(for:in:_:_:)``.
    ///   - table: The table.
    /// - Returns: How many rows have one of the words of each term; nil where they cannot be gathered.
    /// - Throws: ``ReadingError``.
    /// - Complexity: O(rows with any of the words), some 60 ns each.
    func gather(_ words: [[CellValue]], in table: TableDescription) throws(ReadingError) -> Int?

    /// Forgets which rows were gathered: other rows may have the words now.
    func forgetGathered()

    /// Whether a row has a word elsewhere than in one column.
    ///
    /// - Parameters:
    ///   - words: One word, or two between which the words stand.
    ///   - column: The number of the column among those that are searched.
    ///   - table: The table.
    /// - Returns: Nil where that is not found out.
    /// - Throws: ``ReadingError``.
    /// - Complexity: O(rows with one of the words), some 20 ns each.
    func hasWord(
        _ words: [CellValue],
        besidesColumn column: Int,
        of table: TableDescription
    ) throws(ReadingError) -> Bool?

    /// Counts rows that several indexes have in common, none of which is looked at that one of them
    /// has not.
    ///
    /// - Parameter count: Runs one statement.
    /// - Returns: The count; nil where the engine does not join indexes.
    /// - Throws: ``ReadingError``.
    func joiningIndexes(
        _ count: () throws(ReadingError) -> Int
    ) throws(ReadingError) -> Int?

    /// The index that would serve a question for what stands in texts.
    func wordIndex(
        for query: ListQuery,
        of table: TableDescription,
        _ schema: ListSchema
    ) throws(ReadingError) -> IndexProposal

    /// Ends statements that are still running at a point in time, which fail with
    /// ``ReadingError/outOfTime`` then; nil leaves the engine's own limit.
    var deadline: ContinuousClock.Instant? { get set }
}

extension EngineConnection {
    /// Nil: there is no index of words.
    package func gather(
        _ words: [[CellValue]],
        in table: TableDescription
    ) throws(ReadingError) -> Int? { nil }

    /// Nothing: none are gathered.
    package func forgetGathered() {}

    /// Nil: there is no index of words.
    package func hasWord(
        _ words: [CellValue],
        besidesColumn column: Int,
        of table: TableDescription
    ) throws(ReadingError) -> Bool? { nil }

    /// Nil: it looks up one index.
    package func joiningIndexes(
        _ count: () throws(ReadingError) -> Int
    ) throws(ReadingError) -> Int? { nil }

    /// None: what stands in texts is known to this program alone.
    package func wordIndex(
        for query: ListQuery,
        of table: TableDescription,
        _ schema: ListSchema
    ) throws(ReadingError) -> IndexProposal { .notIndexable }

    /// Runs something within a time.
    ///
    /// An earlier deadline that is already set stays in force.
    ///
    /// - Parameters:
    ///   - budget: The time.
    ///   - body: What to run.
    /// - Returns: What it returns.
    /// - Throws: What it throws.
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

/// A prepared statement that reads.
///
/// One call runs a statement to its end: the loops over records and cells are the engine's.
package protocol EngineStatement: AnyObject {
    /// Appends all records.
    ///
    /// - Parameters:
    ///   - values: The values to bind, in the order of their places; see ``StoredKey``.
    ///   - collector: Takes the records. After an error it holds those read before.
    /// - Returns: The number of records.
    /// - Throws: ``ReadingError``.
    func collect(
        _ values: [CellValue],
        into collector: inout RecordCollector
    ) throws(ReadingError) -> Int

    /// The values of all records, one behind the other.
    ///
    /// - Parameters:
    ///   - values: The values to bind, in the order of their places.
    ///   - forms: The forms of the columns of a record.
    /// - Returns: The values as positions name them; see ``StoredKey``.
    /// - Throws: ``ReadingError``.
    func values(
        _ values: [CellValue],
        as forms: [ValueForm]
    ) throws(ReadingError) -> [CellValue]
}

/// The form in which a statement gives a value.
package enum ValueForm: Hashable, Sendable {
    /// As it is stored in a column of one type.
    case stored(ColumnType)
    /// As it is stored in a column of all types.
    case keyed(ColumnType)
    /// As a key of a column of all types: see ``Dialect/key(of:)``.
    case key

    /// The type of the column; text for a key.
    package var type: ColumnType {
        switch self {
        case .stored(let type), .keyed(let type): type
        case .key: .text
        }
    }
}

extension EngineStatement {
    /// The number that a statement which counts gives.
    func count(_ values: [CellValue]) throws(ReadingError) -> Int {
        guard case .integer(let count) = try self.values(values, as: [.stored(.integer)]).first
        else {
            return 0
        }
        return Int(count)
    }
}

/// What an engine would do for a statement.
package struct Explanation: Sendable {
    /// What of the records read has to be sorted.
    package enum Sorting: Hashable, Sendable {
        /// An index has the order.
        case nothing
        /// An index has the first steps of the order: what is equal in them is sorted.
        case partly
        /// All records.
        case everything
    }

    /// What the engine says, in its own words.
    package let lines: [String]
    /// What of the records read has to be sorted.
    package let sorting: Sorting
    /// Whether indexes find the records, so that no others are looked at in vain.
    package let finds: Bool
    /// Whether an index is read, and the table only where that says so.
    package let usesIndex: Bool

    /// Creates an explanation.
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
