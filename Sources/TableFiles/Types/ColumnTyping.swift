package import Listings

/// The type of a column, and how its values are read and stored.
package struct ColumnTyping: Sendable {
    package let type: ColumnType
    /// Nil if the values are spelled as usual.
    package internal(set) var reading: ColumnReading?
    /// Whether the column has values that are not of the type or, for integers, not in canonical
    /// spelling.
    package private(set) var isMixed = false
    /// Whether values are stored with their types and compared by keys.
    package private(set) var isKeyed = false
    /// The texts that the reading converts.
    var converted = SpellingProfile.Tally()
    /// A date whose order of day and month is open.
    var openDate: String?
    /// The digits that are no numbers.
    private(set) var codes: (count: Int, example: String)?
    /// The number of values that are not of the type.
    private(set) var exceptionCount = 0
    /// The type that the column would have without marks for missing values.
    private(set) var expectedType: ColumnType?

    init(
        type: ColumnType,
        reading: ColumnReading? = nil,
        codes: (count: Int, example: String)? = nil
    ) {
        (self.type, self.reading, self.codes) = (type, reading, codes)
    }

    /// `fitting` is the number of values of the type, and `canonical` of those in the spelling in
    /// which integers are stored.
    init(type: ColumnType, fitting: Int, canonical: Int, of profile: ColumnProfile) {
        self.type = type
        let hasEmpty = profile.hasEmptyTexts && !type.isText && type != .bytes
        isMixed = canonical < profile.count || hasEmpty
        if profile.missingCount > 0, !type.isText {
            reading = .usual
            converted.count = profile.missingCount
        }
        isKeyed = isMixed || type == .real || type == .timestamp || type == .json
        let isStrict = type.isNumber || type.isTime || type == .boolean
        if isStrict { exceptionCount = profile.count - fitting }
    }

    mutating func expect(_ type: ColumnType, _ marks: Int) {
        guard marks > 0, type != .text else { return }
        (expectedType, exceptionCount) = (type, marks)
    }

    /// The unit of a column of amounts.
    var format: ColumnFormat? {
        guard case .spelled(.number(let spelling))? = reading, type.isNumber else { return nil }
        return spelling.format
    }

    /// Nil for a column whose values are as anybody would expect.
    func spelling(of column: String, among total: Int) -> ImportPlan.Spelling? {
        func made(_ count: Int, _ example: String) -> ImportPlan.Spelling {
            ImportPlan.Spelling(
                column: column,
                reading: reading,
                count: count,
                total: total,
                example: example
            )
        }
        if let openDate { return made(total, openDate) }
        if let codes { return made(codes.count, codes.example) }
        return reading == nil ? nil : made(converted.count, converted.example)
    }
}
