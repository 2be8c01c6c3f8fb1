import Listings

/// What is known of the values of a column of somebody else's table, gathered value by value.
struct ValueFacts {
    private var integers = 0
    private var reals = 0
    private var texts = 0
    private var blobs = 0
    private var flags = 0
    private var dates = 0

    /// Takes the value of a column of a record.
    mutating func add(_ statement: Statement, _ column: Int) {
        let held = statement.held(column)
        switch held.storage {
        case .null: break
        case .integer:
            integers += 1
            if (0...1).contains(held.integer) { flags += 1 }
        case .real: reals += 1
        case .blob: blobs += 1
        case .text:
            texts += 1
            if held.withText({ CalendarDate(utf8: $0) != nil }) { dates += 1 }
        }
    }

    /// The type of the column: that of its values, where they have one in common.
    ///
    /// Values that differ from it all the same are shown as what they are.
    func type(declared: String) -> ColumnType {
        let name = declared.uppercased()
        switch (integers > 0, reals > 0, texts > 0) {
        case (false, false, false): return blobs > 0 ? .text : Self.type(ofDeclared: name)
        case (true, false, false):
            return name.contains("BOOL") && flags == integers ? .boolean : .integer
        case (_, true, false): return .real
        case (false, false, true): return dates == texts && blobs == 0 ? .date : .text
        case (_, _, true): return .text
        }
    }

    /// The type of ids that the values make; nil when they make none.
    func keyType(declared: String) -> ColumnType? {
        guard reals == 0, blobs == 0 else { return nil }
        switch (integers > 0, texts > 0) {
        case (true, true): return nil
        case (true, false): return .integer
        case (false, true): return .text
        case (false, false):
            return Self.type(ofDeclared: declared.uppercased()) == .integer
                ? .integer : .text
        }
    }

    /// By the rules of SQLite's column affinity.
    private static func type(ofDeclared name: String) -> ColumnType {
        if name.contains("INT") { return .integer }
        if name.contains("CHAR") || name.contains("CLOB") || name.contains("TEXT") { return .text }
        if name.contains("BOOL") { return .boolean }
        if name == "DATE" { return .date }
        if ["REAL", "FLOA", "DOUB", "NUM", "DEC"].contains(where: name.contains) { return .real }
        return .text
    }
}
