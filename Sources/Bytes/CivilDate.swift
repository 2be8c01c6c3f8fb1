/// A day of the Gregorian calendar.
///
/// Its number follows Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
package struct CivilDate: Hashable, Sendable {
    /// 1...9999 for days that exist.
    package var year: Int
    package var month: Int
    /// From 1.
    package var day: Int

    /// The day need not exist.
    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Counts in eras of 400 years, with years that begin in March so that leap days come last.
    package init(daysSince1970: Int64) {
        let shifted = daysSince1970 + 719_468
        let era = shifted.quotient(flooredBy: 146_097)
        let dayOfEra = Int(shifted - era * 146_097)
        let leapDays = dayOfEra / 1460 - dayOfEra / 36524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
    }

    /// Whether the calendar has the day, in a year of four digits.
    package var exists: Bool {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return false }
        switch month {
        case 2: return day <= (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28)
        case 4, 6, 9, 11: return day <= 30
        default: return day <= 31
        }
    }

    /// The day must exist.
    package var daysSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }

    /// 0 for Sunday.
    package static func weekday(daysSince1970 days: Int64) -> Int {
        let sinceSunday = days + 4
        return Int(sinceSunday - sinceSunday.quotient(flooredBy: 7) * 7)
    }
}

extension Int64 {
    /// The divisor is above 0.
    package func quotient(flooredBy divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
