import JSON
package import Listings

package struct ColumnProfile: Sendable {
    package static let majority = 0.95
    private static let maximumExamples = 64

    private var counts: [FieldValue.Shape: Int] = [:]
    /// The number of values that are not null and not an empty text.
    package private(set) var count = 0
    private var emptyCount = 0
    /// The number of empty texts of delimited files, which are missing values among numbers.
    private(set) var missingCount = 0
    private var emailCount = 0
    private var linkCount = 0
    private var quotedIntegerCount = 0
    /// Some values of each shape, which may be exceptions.
    private var others: [FieldValue.Shape: [String: Int]] = [:]
    /// The number of digits that are no number, such as `01067` and `+4930123`.
    private var codeCount = 0
    private var codeExample = ""
    private var texts: [String: Int] = [:]
    /// Those that may be values in another spelling.
    private var spelledTexts: [String: Int] = [:]
    private var spellings = SpellingProfile()
    /// The number of usual numbers with four digits and more before decimals.
    private var largeCount = 0

    package init() {}

    package var hasValue: Bool { count > 0 }

    /// The value is not null.
    package mutating func add(_ utf8: borrowing Span<UInt8>, _ form: FieldForm) {
        guard utf8.count > 0 else {
            if form == .plain { missingCount += 1 } else { emptyCount += 1 }
            return
        }
        count += 1
        let shape = FieldValue.shape(utf8, form)
        if form == .plain, shape.isNumber, utf8.count > 3, Self.isLarge(utf8) { largeCount += 1 }
        var isSpelled = false
        if form == .string, FieldValue.integer(utf8) != nil { quotedIntegerCount += 1 }
        if form == .plain, shape == .text || shape == .whole || shape == .fraction {
            // JSON has no numbers such as `.5` and `+1`.
            let isUsual = shape != .text && JSONNumber.isNumber(utf8)
            if !isUsual, shape == .whole ? Self.isCode(utf8) : Self.isPaddedCode(utf8) {
                codeCount += 1
                if codeCount == 1 { codeExample = String(decoding: utf8) }
            }
            if !isUsual || shape == .fraction {
                isSpelled = spellings.add(utf8, isUsual: isUsual)
            }
            counts[isUsual ? shape : .text, default: 0] += 1
        } else {
            counts[shape, default: 0] += 1
        }
        guard shape == .text else {
            let known = others[shape]?.count ?? 0
            if form == .plain, known <= Self.maximumExamples, utf8.count <= 32 {
                others[shape, default: [:]][String(decoding: utf8), default: 0] += 1
            }
            return
        }
        if emailCount + 1 == count, AddressSyntax.isEmail(utf8) { emailCount += 1 }
        if linkCount + 1 == count, AddressSyntax.isLink(utf8) { linkCount += 1 }
        guard utf8.count <= 32 else { return }
        if !isSpelled, texts.count <= Self.maximumExamples {
            texts[String(decoding: utf8), default: 0] += 1
        } else if isSpelled, spelledTexts.count <= Self.maximumExamples {
            spelledTexts[String(decoding: utf8), default: 0] += 1
        }
    }

    /// The type of the column: that of 95 % of its values, otherwise text.
    package var type: ColumnType { typing().type }

    /// Returns the type of the column, and the meaning of its texts.
    ///
    /// A given type is that of the column, whatever the values are.
    package func typing(
        _ options: ImportOptions = ImportOptions(),
        as given: ColumnType? = nil
    ) -> ColumnTyping {
        guard given != .text, count > 0 else { return ColumnTyping(type: given ?? .text) }
        guard given != nil || codeCount == 0 else {
            return ColumnTyping(type: .text, reading: .text, codes: (codeCount, codeExample))
        }
        var times = spellings.times(options.dates).filter {
            given?.isTime ?? isMajority(self.count(with: $0))
        }
        if options.dates != nil, let most = times.max(by: { $0.tally.count < $1.tally.count }) {
            times = [most]
        }
        let choices =
            spellings.numbers(
                besides: number(.fraction),
                number(.integer),
                large: largeCount,
                options
            )
            + (times.count == 1 ? times : []) + spellings.booleans
        let fitting = choices.filter { choice in
            given.map { $0.kind == choice.type.kind } ?? isMajority(self.count(with: choice))
        }
        let isOpen = times.count > 1
        guard let choice = fitting.max(by: { self.count(with: $0) < self.count(with: $1) }) else {
            let type = given ?? usualType(among: count)
            let fitting = self.count(of: type)
            let canonical = type == .integer ? number(.integer) : fitting
            var typing = ColumnTyping(
                type: type,
                fitting: fitting,
                canonical: canonical,
                of: self
            )
            if isOpen { typing.openDate = times[0].tally.example }
            if given == nil, type == .text {
                typing.expect(usualType(among: count - markerCount), markerCount)
            }
            return typing
        }
        let type =
            given ?? (choice.type == .date && number(.timestamp) > 0 ? .timestamp : choice.type)
        let integers = choice.tally.integers + (choice.hasUnit ? 0 : number(.integer))
        let fits = self.count(with: choice)
        var typing = ColumnTyping(
            type: type,
            fitting: fits,
            canonical: type == .integer ? integers : fits,
            of: self
        )
        typing.reading = choice.reading
        // One date in another spelling does not decide how all are written.
        if case .spelled(let spelling) = choice.reading, !choice.type.isNumber,
            choice.tally.count < fits - choice.tally.count
        {
            typing.reading = .converted(spelling)
        }
        typing.converted = choice.tally
        return typing
    }

    /// The number of values of the type of a choice.
    private func count(with choice: SpellingProfile.Choice) -> Int {
        // Numbers with a unit are others than those without.
        if case .spelled(.number(let spelling)) = choice.reading {
            let isPointed = spelling.thousands == .point && spelling.unit == nil
            let usual = isPointed ? numbers - number(.fraction) : numbers
            return choice.tally.count + (spelling.unit == nil ? usual : 0)
        }
        if case .spelled(.boolean(let words)) = choice.reading, !words.isUsual {
            return choice.tally.count
        }
        return choice.tally.count + count(of: choice.type)
    }

    private var markerCount: Int {
        texts.reduce(0) { $0 + (ImportOptions.markers.contains($1.key) ? $1.value : 0) }
    }

    private func usualType(among total: Int) -> ColumnType {
        func isMajority(_ number: Int) -> Bool { self.isMajority(number, of: total) }
        if isMajority(numbers) { return number(.fraction) == 0 ? .integer : .real }
        for type in [ColumnType.boolean, .date, .timestamp, .json]
        where isMajority(count(of: type)) {
            return type
        }
        if emailCount == total { return .email }
        if linkCount == total { return .link }
        return .text
    }

    private func count(of type: ColumnType) -> Int {
        switch type.form {
        case .integer, .real: numbers
        case .boolean: number(.boolean)
        case .date: number(.date)
        case .timestamp: number(.date) + number(.timestamp)
        case .json: number(.json)
        case .text, .bytes: number(.text)
        }
    }

    /// Whether every value is spelled as an integer, possibly in a JSON string, as exports write
    /// ids.
    package var areIntegers: Bool {
        count > 0 && number(.integer) + quotedIntegerCount == count
            && emptyCount + missingCount == 0
    }

    /// Whether each value is of the type.
    func fits(_ type: ColumnType) -> Bool { !typing(as: type).isMixed }

    /// The reading of integers of which some have blanks around them; nil for other values.
    var paddedReading: ColumnReading? {
        let typing = typing()
        guard case .spelled(.number(let spelling))? = typing.reading, spelling.unit == nil,
            spelling.thousands == nil, typing.type == .integer, !typing.isMixed
        else { return nil }
        return typing.reading
    }

    /// The values that are not of a type with its reading, the most frequent first.
    func exceptions(
        to type: ColumnType,
        _ reading: ColumnReading?
    ) -> [(text: String, count: Int)] {
        let found = others.reduce(into: spelledTexts) { $0.merge($1.value) { $1 } }
        let left = found.filter { text, _ in
            let value = (reading ?? .usual).value(text)
            return value.kind != type.kind && !(type.isTime && value.kind == .time)
        }
        let sorted = (Array(texts) + Array(left)).sorted {
            ($1.value, $0.key) < ($0.value, $1.key)
        }
        return sorted.prefix(5).map { ($0.key, $0.value) }
    }

    var hasEmptyTexts: Bool { emptyCount > 0 }

    private static func isLarge(_ utf8: borrowing Span<UInt8>) -> Bool {
        for index in 0..<4 where utf8[index] &- UInt8(ascii: "0") > 9 { return false }
        return true
    }

    private static let minimumPhoneDigits = 7

    /// Whether the digits of a postal code or a telephone number begin with 0 or a sign.
    private static func isCode(_ utf8: borrowing Span<UInt8>) -> Bool {
        utf8[0] == UInt8(ascii: "0") || utf8[0] == UInt8(ascii: "-")
            || utf8[0] == UInt8(ascii: "+") && utf8.count > minimumPhoneDigits
    }

    /// Whether such digits have blanks around them, which few texts have.
    private static func isPaddedCode(_ utf8: borrowing Span<UInt8>) -> Bool {
        var (start, end) = (0, utf8.count)
        while start < end, utf8[start] == 0x20 { start += 1 }
        while start < end, utf8[end - 1] == 0x20 { end -= 1 }
        guard start < end, end - start < utf8.count else { return false }
        let digits = utf8.extracting(start..<end)
        return FieldValue.shape(digits, .plain) == .whole && !JSONNumber.isNumber(digits)
            && isCode(digits)
    }

    private var numbers: Int { number(.integer) + number(.whole) + number(.fraction) }

    private func number(_ shape: FieldValue.Shape) -> Int { counts[shape] ?? 0 }

    private func isMajority(_ number: Int, of total: Int? = nil) -> Bool {
        number > 0 && Double(number) >= Double(total ?? count) * Self.majority
    }
}
