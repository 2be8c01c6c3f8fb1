import Bytes
import Listings

final class PageText: Sendable {
    let language: PageLanguage
    private let translations: [String: String]

    init(_ language: PageLanguage, file: [UInt8] = []) {
        self.language = language
        let lines = String(decoding: file, as: UTF8.self).split(separator: "\n").map(String.init)
        let keys = stride(from: 0, to: lines.count - 1, by: 2)
        translations = Dictionary(uniqueKeysWithValues: keys.map { (lines[$0], lines[$0 + 1]) })
    }

    func callAsFunction(_ text: Text) -> String {
        if language == .english, let english = text.inEnglish { return english }
        return text.filled(translations[text.key] ?? text.key, in: self)
    }

    /// Returns a text in the language; nil if there is no translation.
    ///
    /// A name needs none.
    func translation(of text: Text) -> String? {
        guard language != .english, text.key != "%" else { return self(text) }
        return translations[text.key].map { text.filled($0, in: self) }
    }
}

extension PageText {
    func write(_ date: CalendarDate, to sink: inout some ByteSink & ~Copyable) {
        sink.append(decimal: Int64(date.day))
        sink.append(language.dayMark)
        sink.append(UInt8(ascii: " "))
        sink.append(language.months[date.month - 1])
        sink.append(UInt8(ascii: " "))
        sink.append(decimal: Int64(date.year))
    }
}

extension PageText {
    func word(_ value: Bool) -> String { value ? self("yes") : self("no") }

    func example(_ list: String) -> String { "roster \(list)=people.csv" }

    /// Returns a count such as `33,406`, `10,000+` for a lower bound, or `≈33,406`.
    func count(_ count: Count) -> String {
        switch count.relation {
        case .exact: number(count.value)
        case .atLeast: number(count.value) + "+"
        case .estimate: "≈" + number(count.value)
        }
    }

    func number(_ value: Int) -> String {
        guard value.magnitude >= 1000 else { return String(value) }
        let digits = String(value.magnitude).utf8
        var text = value < 0 ? "-" : ""
        for (location, digit) in digits.enumerated() {
            if location > 0, (digits.count - location).isMultiple(of: 3) {
                text.append(language.digitSeparator)
            }
            text.unicodeScalars.append(Unicode.Scalar(digit))
        }
        return text
    }

    /// Returns a number in the notation of the language, such as `12.345,6` for `12345.6`.
    ///
    /// A whole number of four digits has no mark, because it may be a year.
    func local(_ number: String, groupsDigits: Bool) -> String {
        let mark = number.utf8.firstIndex(of: UInt8(ascii: "."))
        let whole = number[..<(mark ?? number.endIndex)]
        let isPlain = number.utf8.allSatisfy { $0 < 0x3A && $0 != 0x2B }
        guard isPlain, let value = Int(whole) else { return number }
        let isLarge = groupsDigits && value.magnitude >= (mark == nil ? 10_000 : 1_000)
        guard isLarge || mark != nil && language.decimalMark != "." else { return number }
        var text = isLarge ? self.number(value) : String(whole)
        if let mark {
            text.append(language.decimalMark)
            text += number[number.utf8.index(after: mark)...]
        }
        return text
    }

    /// Returns a time span such as `1:02:05.5` with the mark of the language.
    func local(clock: String) -> String {
        String(clock.map { $0 == "." ? language.decimalMark : $0 })
    }

    /// Returns a time for people, such as `14 Aug 2002, 12:35`, from the one that is stored.
    ///
    /// Seconds and the offset stay, if there are any.
    func local(time: String) -> String {
        guard time.utf8.count >= 16,
            let date = CalendarDate(String(Substring(time.utf8.prefix(10))))
        else {
            return time
        }
        var buffer = ByteBuffer(minimumCapacity: 32)
        write(date, to: &buffer)
        let rest = time.dropFirst(16)
        let seconds = rest.hasPrefix(":00") && !rest.hasPrefix(":00.") ? rest.dropFirst(3) : rest
        let offset = seconds == "Z" ? " UTC" : seconds
        return "\(buffer.text()), \(time.dropFirst(11).prefix(5))\(offset)"
    }

    func amount(_ digits: String, _ currency: String) -> String {
        guard language == .english else { return "\(digits)\u{A0}\(currency)" }
        return currency.count == 1 ? currency + digits : "\(currency)\u{A0}\(digits)"
    }

    func percent(_ number: String) -> String {
        language == .english ? "\(number)%" : "\(number)\u{A0}%"
    }

    func rows(_ count: Count) -> String {
        self("\(self.count(count), counting: count.value) row|% rows")
    }

    func caption(_ title: String, _ query: ListQuery, _ schema: ListSchema) -> String {
        self(
            query.caption(
                title,
                grouping: query.grouping.map { schema.columns[$0.column].label },
                order: query.sort.map { label(of: $0.field, schema) }
            )
        )
    }

    func label(of grouping: Grouping, _ schema: ListSchema) -> String {
        let label = schema.columns[grouping.column].label
        return grouping.part == .initial ? self("\(label), A–Z") : label
    }

    func aggregates(
        _ values: [CellValue?],
        of page: borrowing Page,
        where isWritten: (Int) -> Bool = { _ in true }
    ) -> String {
        zip(page.query.aggregates, values).filter { isWritten($0.0.column) }.map {
            aggregate,
            value in
            let column = page.schema.columns[aggregate.column]
            let text = value.map { self.text(of: $0, column) } ?? "…"
            return "\(self(aggregate.function.text(column.label))): \(text)"
        }
        .joined(separator: " · ")
    }

    /// Returns the header of a section, in the language unless the list has a header of its own.
    func title(of section: SectionInfo, in page: borrowing Page) -> String {
        guard let header = section.header, case .value(let value) = section.key,
            let column = page.query.grouping.map({ page.schema.columns[$0.column] }),
            header == ListSchema.header(value, column)
        else { return section.header ?? "" }
        return value.isNull ? label(of: .null, column) : text(of: value, column)
    }

    func text(of value: CellValue, _ column: Column) -> String {
        switch value {
        case .null: "–"
        case .integer, .real, .decimal:
            local(value.plainText, groupsDigits: column.groupsDigits)
        case .timestamp: local(time: value.plainText)
        default: label(of: value, column)
        }
    }

    /// Returns the label of a counted value, or of the row that it names.
    ///
    /// The value follows if another one has the same label, as in `Ada (7)`.
    func label(of value: CellValue, inColumn column: Int, of page: borrowing Page) -> String {
        let labels = page.labels[column] ?? [:]
        guard !value.isNull, let label = labels[value] else {
            return self.label(of: value, page.schema.columns[column])
        }
        let isUnique = labels.values.allSatisfy { $0.text != label.text || $0.key == label.key }
        return isUnique ? label.text : "\(label.text) (\(value.plainText))"
    }

    func label(of field: SortKey.Field, _ schema: ListSchema) -> String {
        switch field {
        case .id: self("ID")
        case .column(let column): schema.columns[column].label
        }
    }

    func label(of filter: Filter, _ page: borrowing Page) -> String {
        if let group = filter.group {
            let labels = group.members.map { member in
                let label = label(of: member, page)
                return member.group == nil || group.members.count == 1 ? label : "(\(label))"
            }
            let joined = labels.joined(
                separator: " \(group.joint == .any ? self("or") : self("and")) "
            )
            return group.joint == .notAll ? self("Not: \(joined)") : joined
        }
        guard let position = page.schema.column(of: filter) else {
            let ids = filter.operands.map(\.plainText).joined(separator: ", ")
            return "\(self("ID")) \(self(filter.operation.text)) \(ids)"
        }
        let column = page.schema.columns[position]
        guard filter.operation != .isNull else {
            let isNull = filter.operands == [.boolean(true)]
            return isNull ? label(of: .null, column) : "\(column.label) \(self("is not empty"))"
        }
        // In a mixed column, several values may have the same text.
        var operands: [String] = []
        var name = column.label
        for value in filter.operands {
            let isKey = filter.comparesWhole && page.labels[position]?[value] != nil
            if isKey, name.hasSuffix(" id") { name.removeLast(3) }
            let operand =
                isKey ? label(of: value, inColumn: position, of: page) : label(of: value, column)
            if !operands.contains(operand) { operands.append(operand) }
        }
        let list = operands.joined(separator: ", ")
        return "\(name) \(self(filter.operation.text)) \(list)"
    }

    func label(of value: CellValue, _ column: Column) -> String {
        switch value {
        case .null: return self("No \(noun: column.label)")
        case .boolean(let value): return word(value)
        case .date(let date):
            var buffer = ByteBuffer(minimumCapacity: 16)
            write(date, to: &buffer)
            return buffer.text()
        case .text, .integer, .real, .decimal, .timestamp, .json: return value.plainText
        case .bytes(let value):
            return self("\("\(value.count)", counting: value.count) byte|% bytes")
        }
    }
}

extension PageText {
    /// Nil if edits go to the source of the list.
    func editNotice(of about: ListAbout) -> String? {
        guard about.isInMemory else { return nil }
        return self("Edits stay in memory, and are lost when the server stops.")
    }

    func databaseNotice(of about: ListAbout) -> String? {
        guard let file = about.database else { return nil }
        return self("Edits are in the database \(file). The command roster export copies them.")
    }
}
