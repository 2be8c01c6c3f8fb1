import Database
import Listings

/// The sample of values that determines types: those of the first rows and of rows spread over the
/// table.
///
/// The sample has a limited size and depends on the table's contents alone. If a view exceeds the
/// instructions, the sample consists of the rows read until then.
extension ExternalTable {
    /// The number of rows read from the start.
    private static let firstRows = 1_024
    /// The number of positions from which further rows are read, and the rows of each.
    private static let (places, rowsOfPlace) = (64, 16)

    /// Samples rows from the whole table.
    func sample() throws(Reason) -> [ValueProfile] {
        var facts = columns.map { _ in ValueProfile() }
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

    /// - Returns: The number of rows.
    private func add(
        _ statement: Statement,
        to facts: inout [ValueProfile]
    ) throws(SQLiteError) -> Int {
        var count = 0
        while try statement.step() {
            for index in facts.indices { facts[index].add(statement, index) }
            count += 1
        }
        return count
    }

    /// The column by which rows are found: the row id, the first key column or the id of a view.
    private var position: String? {
        switch entry.kind {
        case .view: return columns.first.flatMap { $0.isCalledID ? SQLName.quoted($0.name) : nil }
        case .table, .virtual:
            if let rowID = nameOfRowID { return rowID }
            return columns.first { $0.keyNumber == 1 }.flatMap { SQLName.quoted($0.name) }
        }
    }

    /// The range of a column, or nil if its ends have no values between them.
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
