import Database
import Listings

extension CatalogInspector {
    struct Identity {
        let key: [TableDescription.KeyPart]
        /// Nil if the rows have a key.
        var numbered: TableRefusal.Reason?
        /// Whether a constraint prevents rows with equal keys.
        var isConstrained = false
    }

    func identity(
        of relation: Relation,
        _ attributes: [Attribute],
        _ namedKey: [String]?
    ) throws(Failure) -> Identity {
        if let namedKey { return try identity(of: relation, attributes, named: namedKey) }
        do throws(Failure) {
            let declared = attributes.filter { $0.keyNumber != nil }
                .sorted { ($0.keyNumber ?? 0) < ($1.keyNumber ?? 0) }
            guard declared.isEmpty else {
                let parts = try keyParts(declared)
                if relation.kind == "m" { try checkKey(declared, of: relation) }
                return Identity(key: parts, isConstrained: true)
            }
            guard relation.isView else { throw Failure.refused(.noKey) }
            guard let first = attributes.first, first.name.lowercased().hasSuffix("id") else {
                throw Failure.refused(.viewWithoutID)
            }
            let parts = try keyParts([first])
            try checkKey([first], of: relation)
            return Identity(key: parts)
        } catch .refused(.unreadable(let message)) {
            throw .refused(.unreadable(message: message))
        } catch .refused(let reason) {
            let part =
                relation.hasTupleIDs
                ? TableDescription.KeyPart("ctid", .text, engineType: "tid")
                : TableDescription.KeyPart(RowNumbers.name, .integer, engineType: "int8")
            return Identity(key: [part], numbered: reason)
        } catch {
            throw error
        }
    }

    private func identity(
        of relation: Relation,
        _ attributes: [Attribute],
        named names: [String]
    ) throws(Failure) -> Identity {
        var chosen: [Attribute] = []
        for name in names {
            let exact = attributes.first { $0.name == name }
            let found = exact ?? attributes.first { $0.name.lowercased() == name.lowercased() }
            guard let found else {
                throw .refused(.unknownKey(column: name, columns: attributes.map(\.name)))
            }
            chosen.append(found)
        }
        let parts = try keyParts(chosen)
        let numbers = "{\(chosen.map(\.number).joined(separator: ","))}"
        let isConstrained: Bool
        do throws(PostgresError) {
            let found = try run(
                """
                SELECT EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = $1::oid
                    AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL
                    AND i.indexprs IS NULL AND (i.indkey::int2[])[0:i.indnkeyatts - 1] <@ $2::int2[])
                """,
                [relation.number, numbers]
            )
            isConstrained = found.text(0, 0) == "t" && chosen.allSatisfy { !$0.isNullable }
        } catch {
            throw .engine(error)
        }
        if !isConstrained { try checkKey(chosen, of: relation) }
        return Identity(key: parts, isConstrained: isConstrained)
    }

    private func keyParts(
        _ attributes: [Attribute]
    ) throws(Failure) -> [TableDescription.KeyPart] {
        try attributes.map { (attribute) throws(Failure) in
            let name = attribute.keyTypeName ?? attribute.typeName
            guard let type = KeyType(name).idType(isWhole: attribute.isWhole) else {
                throw .refused(.unsuitableKey(column: attribute.name))
            }
            return TableDescription.KeyPart(attribute.name, type, engineType: name)
        }
    }

    /// If the planner estimates that the check is too expensive, the columns are accepted
    /// unchecked.
    ///
    /// Pages with duplicate ids then fail when they are read. The estimate is used because it is
    /// the same for all replicas, unlike a timeout.
    private func checkKey(
        _ attributes: [Attribute],
        of relation: Relation
    ) throws(Failure) {
        let names = attributes.compactMap { SQLName.quoted($0.name) }
        guard names.count == attributes.count, let table = relation.quotedName else {
            throw .refused(.noKey)
        }
        let isAmbiguous: Bool
        do throws(PostgresError) {
            let end = ContinuousClock.now + Self.statementTimeout + timeouts.grace
            try connection.begin(until: end)
            defer { connection.rollback(until: .now + timeouts.grace) }
            try connection.limitStatements(to: Self.statementTimeout, until: end)
            let nulls = names.map { " OR \($0) IS NULL" }.joined()
            let groups = """
                SELECT FROM \(table) GROUP BY \(names.joined(separator: ", ")) \
                HAVING count(*) > 1\(nulls)
                """
            let plan = try connection.run("EXPLAIN \(groups)", isKept: false, until: end)
            guard Self.cost(ofPlan: plan.text(0, 0) ?? "").map({ $0 < cost }) ?? false else {
                return
            }
            let query = "SELECT EXISTS (\(groups))"
            isAmbiguous = try connection.run(query, isKept: false, until: end).text(0, 0) != "f"
        } catch .refused(let state, let message) where state != "57014" {
            throw .refused(.unreadable(message: "\(message) (\(state))"))
        } catch {
            throw .engine(error)
        }
        guard !isAmbiguous else {
            let columns = attributes.map(\.name).joined(separator: ",")
            throw .refused(.ambiguousKey(column: columns))
        }
    }

    /// The first line of a plan is like `… (cost=0.15..8.17 rows=1 width=4)`.
    private static func cost(ofPlan line: String) -> Double? {
        let parts = line.split(separator: "..", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        return Double(parts[1].prefix { $0 != " " })
    }
}
