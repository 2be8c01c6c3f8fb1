package import Database

extension PostgresSession {
    /// What EXPLAIN says, of a plan for any values.
    package func explain(_ sql: String) throws(ReadingError) -> Explanation {
        let statement = "EXECUTE explained\(Self.values(for: sql))"
        try execute("SET LOCAL plan_cache_mode = force_generic_plan; PREPARE explained AS \(sql)")
        let lines = try plan(of: statement)
        try execute("DEALLOCATE explained; SET LOCAL plan_cache_mode = auto")
        let sorts = try forcedPlan(of: sql).contains { $0.contains("Sort") }
        return Explanation(lines: lines, sorting: sorts ? .everything : .nothing)
    }

    /// Whether an index is read whose first column is that one: further on in an index, a column has
    /// all of it read.
    package func finds(_ sql: String, by column: String) throws(ReadingError) -> Bool {
        let lines = try forcedPlan(of: sql)
        guard !lines.contains(where: { $0.contains("Seq Scan") }) else { return false }
        let indexes = lines.compactMap(Self.index)
        for index in indexes {
            let found = try run(
                """
                SELECT i.indkey[0] = 0 OR a.attname = $2 FROM pg_catalog.pg_index i
                    LEFT JOIN pg_catalog.pg_attribute a
                        ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
                WHERE i.indexrelid = to_regclass($1)
                """,
                [index, column],
                isKept: false
            )
            guard found.count == 1, found.text(0, 0) == "t" else { return false }
        }
        return !indexes.isEmpty && lines.contains { $0.contains("Index Cond:") }
    }

    /// No: a plan that sorts although that is avoided has no index to take.
    package func hasIndex(on target: String) throws(ReadingError) -> Bool { false }

    /// Nil: the server names what is not given a name.
    package func indexName(
        _ wish: String,
        besides others: Set<String>
    ) throws(ReadingError) -> String? { nil }

    /// The plan where sorting and reading whole tables are avoided, so that they are done only where
    /// no index helps.
    private func forcedPlan(of sql: String) throws(ReadingError) -> [String] {
        try execute(
            "SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_sort = off; "
                + "SET LOCAL enable_seqscan = off; PREPARE explained AS \(sql)"
        )
        let lines = try plan(of: "EXECUTE explained\(Self.values(for: sql))")
        try execute(
            "DEALLOCATE explained; SET LOCAL plan_cache_mode = auto; SET LOCAL enable_sort = on; "
                + "SET LOCAL enable_seqscan = on"
        )
        return lines
    }

    private func plan(of statement: String) throws(ReadingError) -> [String] {
        let plan = try run("EXPLAIN (COSTS OFF) \(statement)", [], isKept: false)
        return (0..<plan.count).compactMap { plan.text($0, 0) }
    }

    /// A null for every place of a statement, between brackets; names and texts between quotation
    /// marks have none.
    private static func values(for sql: String) -> String {
        var count = 0
        var place: Int?
        var quote: UInt8?
        for byte in sql.utf8 {
            if let open = quote {
                // A mark that is doubled ends the text and begins it again.
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
            case UInt8(ascii: "$"): place = 0
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                place = place.map { $0 * 10 + Int(byte - UInt8(ascii: "0")) }
                count = max(count, place ?? 0)
            default: place = nil
            }
        }
        guard count > 0 else { return "" }
        return "(\(Array(repeating: "NULL", count: count).joined(separator: ", ")))"
    }

    /// The index that a line of a plan says is read, as SQL names it.
    private static func index(_ line: String) -> String? {
        for words in ["Bitmap Index Scan on ", " using "] {
            guard let start = line.firstRange(of: words)?.upperBound else { continue }
            let rest = line[start...]
            guard rest.first == "\"" else { return String(rest.prefix { $0 != " " }) }
            var name = "\""
            var isOpen = true
            for character in rest.dropFirst() {
                if character == "\"" {
                    isOpen.toggle()
                } else if !isOpen {
                    break
                }
                name.append(character)
            }
            return name
        }
        return nil
    }
}
