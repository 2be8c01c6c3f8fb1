internal import Listings

/// The reason why the first line of a delimited file may be a row, although it is read as a header.
package enum HeaderDoubt: Hashable, Sendable {
    /// A name is also a value of its column.
    case repeatedValue(String)
    case emptyName
    case numbers
}

/// The first records of a delimited file, which show whether it has a header and decimal commas.
struct SampleRecords {
    private enum Kind: Hashable {
        case number
        /// ISO 8601.
        case time
        case boolean
        /// Digits without letters, such as other dates and amounts of money.
        case digits
        case text
    }

    private static let maximumRecords = 200
    private static let years = 1500...2200

    private var names: [String] = []
    private var records: [[String?]] = []

    init(
        _ sample: borrowing Span<UInt8>,
        _ dialect: DelimitedDialect,
        _ options: ImportOptions
    ) {
        var reader = DelimitedReader(dialect, options: options)
        var record = FileRecord()
        var index = 0
        do throws(FileError) {
            while records.count < Self.maximumRecords,
                try reader.read(sample, from: &index, into: &record) == .complete
            {
                records.append((0..<record.count).map { record.text($0) })
            }
            if records.isEmpty, try reader.finish(into: &record) == .complete {
                records.append((0..<record.count).map { record.text($0) })
            }
        } catch {
            // The records before an error are enough to tell.
        }
        names = reader.columns.written
    }

    /// Whether the first line is a header, and the reason for doubt.
    ///
    /// It is a row if its values have the kinds of the columns below them. Texts are no evidence,
    /// because names are texts too. Years and numbers in equal steps may be names of columns.
    func header() -> (isPresent: Bool, doubt: HeaderDoubt?) {
        var numbers: [Int] = []
        var isRow = false
        for (column, name) in names.enumerated() where !Self.isMissing(name) {
            guard let kind = kind(of: column) else { continue }
            let own = Self.kind(of: name)
            guard own == kind || kind == .digits && own == .number else { return (true, nil) }
            isRow = true
            if own == .number { numbers.append(column) }
        }
        guard isRow else { return (true, doubt) }
        let found = numbers.compactMap { Int(names[$0]) }
        guard found.count == numbers.count, !found.isEmpty else { return (false, nil) }
        if found.allSatisfy(Self.years.contains), Set(found).count == found.count,
            !numbers.allSatisfy(areYears)
        {
            return (true, nil)
        }
        let steps = Set(zip(found, found.dropFirst()).map { $1 - $0 })
        guard steps.count == 1, steps != [0] else { return (false, nil) }
        // Tables without names of columns are saved with an index, which has none.
        if names[0].isEmpty { return (true, nil) }
        return found.count > 2 ? (true, .numbers) : (false, nil)
    }

    private var doubt: HeaderDoubt? {
        guard !records.isEmpty else {
            return names.contains { Self.kind(of: $0) == .number } ? .numbers : nil
        }
        for (column, name) in names.enumerated() where !name.isEmpty {
            if values(of: column).contains(name) { return .repeatedValue(name) }
        }
        return names.contains("") ? .emptyName : nil
    }

    private func values(of column: Int) -> [String] {
        records.compactMap { column < $0.count ? $0[column] : nil }
    }

    /// Nil if most values are texts, or there are none.
    private func kind(of column: Int) -> Kind? {
        let values = values(of: column).filter { !Self.isMissing($0) }
        var counts: [Kind: Int] = [:]
        for value in values { counts[Self.kind(of: value), default: 0] += 1 }
        let texts = counts.removeValue(forKey: .text) ?? 0
        guard !counts.isEmpty, texts * 10 <= values.count else { return nil }
        return counts.first { $0.value * 10 >= values.count * 9 }?.key ?? .digits
    }

    private static func isMissing(_ text: String) -> Bool {
        text.isEmpty || ImportOptions.markers.contains(text)
    }

    private func areYears(_ column: Int) -> Bool {
        let values = values(of: column)
        return values.count { Int($0).map(Self.years.contains) ?? false } * 2 >= values.count
    }

    private static func kind(of text: String) -> Kind {
        let text = String(text.drop { $0 == " " })
        switch FieldValue.shape(text.utf8Span.span, .plain) {
        case .date, .timestamp: return .time
        case .boolean: return .boolean
        case .integer, .whole, .fraction: return .number
        case .text, .json: break
        }
        guard text.utf8.contains(where: { 0x30...0x39 ~= $0 }) else { return .text }
        let isNumber =
            Double(text) != nil || DecimalComma.number(text) != nil || DecimalComma.hasGroups(text)
        if isNumber { return .number }
        return text.contains(where: \.isLetter) ? .text : .digits
    }

    /// `1,186` may be either, so that it is no evidence.
    var haveDecimalCommas: Bool {
        var hasComma = false
        for case let field? in records.joined() {
            let utf8 = Array(field.utf8)
            switch DecimalComma.number(utf8.span) {
            case nil:
                if utf8.contains(UInt8(ascii: ".")), Double(field) != nil { return false }
                if DecimalComma.hasGroups(field) { return false }
            case .some:
                if utf8.contains(UInt8(ascii: ",")), !DecimalComma.hasGroups(field) {
                    hasComma = true
                }
            }
        }
        return hasComma
    }
}
