import Listings

/// The texts of a column that may be values in a spelling of their own.
struct SpellingProfile: Sendable {
    struct Tally: Sendable {
        var count = 0
        /// Those that are integers in the usual spelling.
        var integers = 0
        var fractions = 0
        var example = ""
        /// The lengths of numbers.
        var lengths: Set<Int> = []

        mutating func add(_ other: Tally) {
            if example.isEmpty { example = other.example }
            count += other.count
            integers += other.integers
            fractions += other.fractions
            lengths.formUnion(other.lengths)
        }
    }

    /// A reading of a column, with the texts that it converts.
    struct Choice {
        let reading: ColumnReading
        let type: ColumnType
        var tally: Tally
    }

    private static let maximumSpellings = 32

    private var numbers: [NumberSpelling: Tally] = [:]
    private var powers = Tally()
    private var surePowers = 0
    private var times: [TimeSpelling: Tally] = [:]
    private var timeCount = 0
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
            if found.hasExponent, found.spelling == NumberSpelling() {
                Self.count(found, utf8, in: &powers)
                if found.isSurePower { surePowers += 1 }
            } else if numbers.count < Self.maximumSpellings {
                Self.count(found, utf8, in: &numbers[found.spelling, default: Tally()])
            }
        } else if let found = TimeSpelling.find(utf8) {
            timeCount += 1
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
            var separators: Set<NumberSpelling.Thousands> = []
            var marks: Set<Bool> = []
            var (separated, padded) = (0, 0)
            for (found, other) in Self.sorted(numbers)
            where found.unit?.text == unit?.text && found.unit?.isBefore == unit?.isBefore {
                if let sign = found.thousands {
                    separators.insert(sign)
                    separated += other.count
                }
                if found.endsInBlank { padded += other.count }
                if other.fractions > 0 { marks.insert(found.hasDecimalComma) }
                tally.add(other)
            }
            let isPointed = unit == nil && points.count > 0 && points.count == fractions
            if isPointed, separators == [.point] || given == .point {
                separators.insert(.point)
                tally.add(points)
            } else if unit == nil, fractions > 0 {
                marks.insert(false)
            }
            let isGiven = given.map { separators.isSubset(of: [$0]) } ?? true
            let isTwofold =
                marks.contains(true)
                && (separators.contains(.comma) || options.hasDecimalComma == false)
            // Few commas among whole numbers are those of lists of numbers.
            let isList =
                marks.contains(true) && options.hasDecimalComma != true
                && 4 * tally.fractions < tally.count + integers
            guard separators.count < 2, marks.count < 2, !isTwofold, !isList, isGiven else {
                return nil
            }
            // With such fractions, points before three digits are no decimal marks.
            guard !separators.contains(.point) || fractions == points.count else { return nil }
            (spelling.thousands, spelling.hasDecimalComma) = (
                separators.first, marks.first ?? (separators.first == .point)
            )
            spelling.omitsThousands = unit == nil && separated > 0 && large > separated
            spelling.blank = blanks.max { $0.value < $1.value }?.key ?? spelling.blank
            spelling.hasInnerSign = unit != nil && innerSigns.count > innerSigns.others
            spelling.endsInBlank = unit != nil && padded == tally.count
            if unit == nil, powers.count > 0, surePowers > 0 || fractions > 0 {
                spelling.allowsPowers = true
                tally.add(powers)
            }
            // Digits in groups of one length are numbers of companies or telephones.
            let isVaried = spelling.thousands != .blank || given != nil || tally.lengths.count > 1
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
        _ tallies: [Spelling: Tally]
    ) -> [(key: Spelling, value: Tally)] {
        tallies.sorted { ($1.value.count, $0.value.example) < ($0.value.count, $1.value.example) }
    }

    /// The readings as dates that fit all dates; several if their order is open.
    func times(_ given: TimeSpelling.Order?) -> [Choice] {
        var found: [Choice] = []
        for (spelling, _) in times where given == nil || spelling.order == given {
            let same = times.filter { $0.key.isSame(as: spelling) }
            // One number without a leading 0 decides for all.
            guard !spelling.isPadded || same.count == 1 else { continue }
            var tally = Tally()
            for (_, other) in Self.sorted(same) { tally.add(other) }
            guard tally.count == timeCount else { continue }
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
            let family = Self.sorted(
                Dictionary(uniqueKeysWithValues: family.map { ($0.key, $0.value) })
            )
            guard let word = family.first?.key else { return nil }
            var tally = Tally()
            for (_, other) in family { tally.add(other) }
            return Choice(reading: .spelled(.boolean(word)), type: .boolean, tally: tally)
        }
    }
}
