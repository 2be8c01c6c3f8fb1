import Listings

/// The texts of a column that may be values in a spelling of their own.
struct SpellingProfile: Sendable {
    struct Tally: Sendable {
        var count = 0
        /// Those that are integers in the usual spelling.
        var integers = 0
        var fractions = 0
        /// Those whose comma may stand before decimals.
        var openCommas = 0
        /// Those whose point may separate thousands.
        var openPoints = 0
        var example = ""
        /// The lengths of numbers.
        var lengths: Set<Int> = []

        mutating func add(_ other: Tally) {
            if example.isEmpty { example = other.example }
            count += other.count
            integers += other.integers
            fractions += other.fractions
            openCommas += other.openCommas
            openPoints += other.openPoints
            lengths.formUnion(other.lengths)
        }
    }

    /// A reading of a column, with the texts that it converts.
    struct Choice {
        let reading: ColumnReading
        let type: ColumnType
        var tally: Tally

        var hasUnit: Bool {
            if case .spelled(.number(let spelling)) = reading {
                spelling.unit != nil
            } else {
                false
            }
        }
    }

    private struct DateForm: Hashable {
        let separator: UInt8
        let isShort: Bool

        init(_ spelling: TimeSpelling) {
            (separator, isShort) = (spelling.separator, spelling.isShort)
        }
    }

    private static let maximumSpellings = 32

    private var numbers: [NumberSpelling: Tally] = [:]
    private var powers = Tally()
    private var surePowers = 0
    private var times: [TimeSpelling: Tally] = [:]
    /// By the separator and the digits of the year.
    private var dateForms: [DateForm: Int] = [:]
    /// Those of which a day or a month begins with 0.
    private var paddedDates: [DateForm: Int] = [:]
    private var timesOfDay = 0
    private var hasShortHours = false
    private var blanks: [String: Int] = [:]
    private var innerSigns = (count: 0, others: 0)
    private var words: [BooleanSpelling: Tally] = [:]
    /// Numbers such as `1.186`, whose point may separate thousands.
    private var points = Tally()

    /// Adds a text, or a fraction in the usual spelling; false for a text that is no value.
    mutating func add(_ utf8: borrowing Span<UInt8>, isUsual: Bool) -> Bool {
        guard !isUsual else {
            guard let found = NumberSpelling.find(utf8, separating: .point),
                found.spelling.thousands == .point
            else { return false }
            Self.count(found, utf8, in: &points)
            return true
        }
        if let word = BooleanSpelling(utf8) {
            Self.count(utf8, in: &words[word, default: Tally()])
            return true
        }
        // Most texts are words, which cost no more than this.
        guard utf8.count <= NumberSpelling.maximumBytes, Self.hasDigit(utf8) else { return false }
        if let found = NumberSpelling.find(utf8) {
            if let blank = found.blank { blanks[blank, default: 0] += 1 }
            if found.hasInnerSign == true { innerSigns.count += 1 }
            if found.hasInnerSign == false { innerSigns.others += 1 }
            if found.hasExponent {
                var plain = found.spelling
                plain.endsInBlank = false
                guard plain == NumberSpelling(), ExactDecimal.isJSON(found.usual.span) else {
                    return false
                }
                Self.count(found, utf8, in: &powers)
                if found.isSurePower { surePowers += 1 }
            } else if numbers.count < Self.maximumSpellings {
                Self.count(found, utf8, in: &numbers[found.spelling, default: Tally()])
            }
        } else if let found = TimeSpelling.find(utf8) {
            if let form = found.usual.keys.first.map(DateForm.init) {
                dateForms[form, default: 0] += 1
                if found.hasLeadingZero { paddedDates[form, default: 0] += 1 }
            }
            if found.hasTime { timesOfDay += 1 }
            if found.hasShortHour { hasShortHours = true }
            for spelling in found.usual.keys where times.count < Self.maximumSpellings {
                Self.count(utf8, in: &times[spelling, default: Tally()])
            }
        } else {
            return false
        }
        return true
    }

    private static func hasDigit(_ utf8: borrowing Span<UInt8>) -> Bool {
        for index in utf8.indices where utf8[index] &- UInt8(ascii: "0") < 10 { return true }
        return false
    }

    private static func count(_ utf8: borrowing Span<UInt8>, in tally: inout Tally) {
        tally.count += 1
        if tally.example.isEmpty { tally.example = utf8.text }
    }

    private static func count(
        _ found: NumberSpelling.Found,
        _ utf8: borrowing Span<UInt8>,
        in tally: inout Tally
    ) {
        count(utf8, in: &tally)
        if FieldValue.integer(found.usual.span) != nil { tally.integers += 1 }
        if !found.isWhole { tally.fractions += 1 }
        if found.isCommaOpen { tally.openCommas += 1 }
        if found.isPointOpen { tally.openPoints += 1 }
        if tally.lengths.count < 2 { tally.lengths.insert(found.usual.count) }
    }

    // MARK: - Choices

    /// The readings as numbers, besides those in the usual spelling, of which `large` have four
    /// digits and more.
    func numbers(
        besides fractions: Int,
        _ integers: Int,
        large: Int,
        _ options: ImportOptions
    ) -> [Choice] {
        let given = options.thousands
        var units = Set(numbers.keys.map(\.unit)).union([nil])
        // Units that differ in the blank alone are one.
        for case let unit? in units where !unit.isApart {
            if let apart = units.first(where: { $0?.text == unit.text && $0 != unit }) {
                units.remove(apart)
            }
        }
        return units.compactMap { unit in
            var spelling = NumberSpelling(unit: unit)
            var tally = Tally()
            var separator: NumberSpelling.Thousands?
            var hasComma = options.hasDecimalComma == true ? true : nil
            var (separated, padded) = (0, 0)
            var arePointsSure = false
            // The most frequent spelling decides, and numbers in others are exceptions.
            for (found, other) in Self.sorted(numbers)
            where found.unit?.text == unit?.text && found.unit?.isBefore == unit?.isBefore {
                let isOpen = other.openCommas == other.count && hasComma == true
                let isPointed =
                    other.openPoints > 0 && other.openPoints == other.fractions
                    && (hasComma == true || given == .point)
                let sign = isOpen ? nil : isPointed ? .point : found.thousands
                let hasMark = other.fractions > 0 && !isPointed
                let mark = isOpen ? true : hasMark ? found.hasDecimalComma : hasComma
                guard sign == nil || (separator ?? sign) == sign && (given ?? sign) == sign,
                    mark == hasComma || hasComma == nil,
                    mark != true
                        || (sign ?? separator) != .comma && options.hasDecimalComma != false
                else { continue }
                (separator, hasComma) = (sign ?? separator, mark)
                if sign != nil { separated += other.count }
                if sign == .point, !isPointed { arePointsSure = true }
                if found.endsInBlank { padded += other.count }
                tally.add(other)
                if isOpen { tally.fractions += other.count }
                if isPointed {
                    tally.fractions -= other.openPoints
                    tally.integers += other.openPoints
                }
            }
            let isPointed = unit == nil && points.count > 0 && points.count == fractions
            if isPointed, separator == .point || separator == nil && given == .point {
                separator = .point
                tally.add(points)
            } else if unit == nil, fractions > 0 {
                guard hasComma != true else { return nil }
                hasComma = false
            }
            // Few commas among whole numbers are those of lists of numbers.
            let isList =
                hasComma == true && options.hasDecimalComma != true
                && 4 * tally.fractions < tally.count + integers
            guard !isList else { return nil }
            // With such fractions, points before three digits are no decimal marks.
            guard separator != .point || fractions == points.count else { return nil }
            (spelling.thousands, spelling.hasDecimalComma) = (
                separator, hasComma ?? (separator == .point)
            )
            // An export has no other sign that points separate thousands.
            let isUnsure =
                separator == .point && unit != nil && !arePointsSure && tally.fractions == 0
            spelling.omitsThousands =
                isUnsure || unit == nil && separated > 0 && large > separated
            spelling.blank =
                blanks.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? spelling.blank
            spelling.hasInnerSign = unit != nil && innerSigns.count > innerSigns.others
            spelling.endsInBlank = unit != nil && padded == tally.count
            if unit == nil, powers.count > 0, surePowers > 0 || fractions > 0 {
                spelling.allowsPowers = true
                tally.add(powers)
            }
            // Digits in groups of one length are numbers of companies or telephones.
            let isVaried =
                spelling.thousands != .blank || given != nil || tally.lengths.count > 1
                || integers > 0 || unit != nil
            guard tally.count > 0, isVaried else { return nil }
            let isPoint = spelling.thousands == .point && unit == nil
            let hasFractions = tally.fractions > 0 || fractions > (isPoint ? points.count : 0)
            return Choice(
                reading: .spelled(.number(spelling)),
                type: hasFractions ? .real : .integer,
                tally: tally
            )
        }
    }

    /// The most frequent spellings first.
    private static func sorted<Spelling>(
        _ tallies: some Sequence<(key: Spelling, value: Tally)>
    ) -> [(key: Spelling, value: Tally)] {
        tallies.sorted { ($1.value.count, $0.value.example) < ($0.value.count, $1.value.example) }
    }

    /// The readings as dates that fit all dates with their signs; several if their order is open.
    ///
    /// Those in a given order fit some dates.
    func times(_ given: TimeSpelling.Order?) -> [Choice] {
        var found: [Choice] = []
        for (spelling, _) in times where given == nil || spelling.order == given {
            let same = times.filter { $0.key.isSame(as: spelling) }
            let short = same.first { !$0.key.isPadded }?.value.count ?? 0
            let isPadded = paddedDates[DateForm(spelling)] ?? 0 > short
            guard spelling.isPadded == isPadded || same.count == 1 else { continue }
            var tally = Tally()
            for (_, other) in Self.sorted(same) { tally.add(other) }
            guard given != nil || tally.count == dateForms[DateForm(spelling)] else { continue }
            var spelling = spelling
            spelling.hasShortHours = hasShortHours
            let type: ColumnType = timesOfDay > 0 ? .timestamp : .date
            found.append(Choice(reading: .spelled(.time(spelling)), type: type, tally: tally))
        }
        return found
    }

    /// The readings as words for yes and no.
    var booleans: [Choice] {
        let families = Dictionary(grouping: words) { $0.key.yes.lowercased() }
        return families.values.compactMap { family in
            let family = Self.sorted(family)
            guard let word = family.first?.key else { return nil }
            var tally = Tally()
            for (_, other) in family { tally.add(other) }
            return Choice(reading: .spelled(.boolean(word)), type: .boolean, tally: tally)
        }
    }
}
