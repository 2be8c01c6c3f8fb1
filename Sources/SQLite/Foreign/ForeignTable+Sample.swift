import Database
import Listings

/// The values that types are found by: those of the first rows, and of rows spread over the table.
///
/// The sample does not grow with the table, and is the same whenever the table is: of a view that
/// takes more steps than a look may, the rows found by then.
extension ForeignTable {
    /// The rows from the first one on.
    private static let firstRows = 1_024
    /// The places behind the first one from which further rows are read, and how many from each.
    private static let (places, rowsOfPlace) = (64, 16)

    /// Looks at rows from one end of the table to the other.
    func sample() throws(Reason) -> [ValueFacts] {
        var facts = columns.map { _ in ValueFacts() }
        let names = columns.compactMap { SQLName.quoted($0.name) }
        guard !names.isEmpty, names.count == columns.count else { throw .noKey }
        let select = "SELECT \(names.joined(separator: ", ")) FROM \(quotedName)"
        do {
            let first = try connection.prepare("\(select) LIMIT \(Self.firstRows)")
            var count = 0
            let isWhole: Void? = try connection.within(steps: steps) { () throws(SQLiteError) in
                count = try add(first, to: &facts)
            }
            guard isWhole != nil, count == Self.firstRows, let position else { return facts }
            _ = try connection.within(steps: steps) { () throws(SQLiteError) in
                guard let spread = try spread(along: position) else { return }
                let further = try connection.prepare(
                    "\(select) WHERE \(position) >= ?1 ORDER BY \(position) LIMIT \(Self.rowsOfPlace)"
                )
                for place in 1..<Self.places {
                    try spread.bind(place, of: Self.places, to: further)
                    _ = try add(further, to: &facts)
                    further.reset()
                }
            }
        } catch {
            throw Reason(error)
        }
        return facts
    }

    /// - Returns: The rows that there were.
    private func add(
        _ statement: Statement,
        to facts: inout [ValueFacts]
    ) throws(SQLiteError) -> Int {
        var count = 0
        while try statement.step() {
            for index in facts.indices { facts[index].add(statement, index) }
            count += 1
        }
        return count
    }

    /// The column that rows are found by: the row id, the first column of the key, or the id of a view.
    private var position: String? {
        switch entry.kind {
        case .view: return columns.first.flatMap { $0.isCalledID ? SQLName.quoted($0.name) : nil }
        case .table, .virtual:
            if let rowID = nameOfRowID { return rowID }
            return columns.first { $0.keyNumber == 1 }.flatMap { SQLName.quoted($0.name) }
        }
    }

    /// The ends of a column; nil where nothing lies between them.
    private func spread(along position: String) throws(SQLiteError) -> ValueSpread? {
        let ends = try connection.prepare(
            """
            SELECT (SELECT min(\(position)) FROM \(quotedName)),
                (SELECT max(\(position)) FROM \(quotedName))
            """
        )
        defer { ends.reset() }
        guard try ends.step() else { return nil }
        return ValueSpread(from: ends.held(0), to: ends.held(1))
    }
}
