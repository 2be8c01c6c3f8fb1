import Bytes
import Database
import Listings
import TableFiles

struct ValueProfile {
    private var integers = 0
    private var reals = 0
    private var texts = 0
    private var blobs = 0
    private var flags = 0
    private var dates = 0
    private var timestamps = 0

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
            held.withText { utf8 in
                if CalendarDate(utf8: utf8) != nil {
                    dates += 1
                } else if Timestamp.isTimestamp(utf8) {
                    timestamps += 1
                }
            }
        }
    }

    private var count: Int { integers + reals + texts + blobs }

    /// Values of other types are shown, found and ordered as they are.
    func type(declared: String) -> ColumnType {
        guard count > 0 else { return Self.type(ofDeclared: declared) }
        if isMajority(integers + reals) {
            if reals == 0, declared.uppercased().contains("BOOL"), flags == integers {
                return .boolean
            }
            return reals == 0 ? .integer : .real
        }
        if isMajority(dates) { return .date }
        if isMajority(dates + timestamps) { return .timestamp }
        return isMajority(blobs) ? .bytes : .text
    }

    /// A column declared as text contains texts, and one of a strict table its declared type.
    ///
    /// Any other SQLite column can contain any value.
    func isMixed(declared: String, inStrictTable isStrict: Bool) -> Bool {
        let own = type(declared: declared)
        if SQLiteDialect.isText(declared: declared) { return own != .text }
        return !isStrict || declared.uppercased() == "ANY"
    }

    /// Whether all values have a type.
    func isUniform(_ type: ColumnType) -> Bool {
        switch type.form {
        case .integer: integers == count
        case .boolean: flags == count
        case .real: integers + reals == count
        case .date: dates == count
        case .timestamp: dates + timestamps == count
        case .bytes: blobs == count
        case .text, .json: texts == count
        }
    }

    private func isMajority(_ number: Int) -> Bool {
        number > 0 && Double(number) >= Double(count) * ColumnProfile.majority
    }

    func keyType(declared: String) -> ColumnType? {
        guard reals == 0, blobs == 0 else { return nil }
        switch (integers > 0, texts > 0) {
        case (true, true): return nil
        case (true, false): return .integer
        case (false, true): return .text
        case (false, false):
            return Self.type(ofDeclared: declared) == .integer ? .integer : .text
        }
    }

    /// The type by the rules of SQLite's column affinity.
    private static func type(ofDeclared declared: String) -> ColumnType {
        let name = declared.uppercased()
        if name.contains("INT") { return .integer }
        if SQLiteDialect.isText(declared: name) { return .text }
        if name.contains("BOOL") { return .boolean }
        if name == "BLOB" { return .bytes }
        if name == "DATE" { return .date }
        if name.contains("TIME") { return .timestamp }
        if ["REAL", "FLOA", "DOUB", "NUM", "DEC"].contains(where: name.contains) { return .real }
        return .text
    }
}
