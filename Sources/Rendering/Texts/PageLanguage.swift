/// A language of pages.
///
/// Texts of a list, such as its title, columns and values, are not translated.
package enum PageLanguage: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case german = "de"
    /// Hebrew, except problems, which are English.
    case hebrew = "he"

    var texts: PageText {
        switch self {
        case .english: Self.englishTexts
        case .german: Self.germanTexts
        case .hebrew: Self.hebrewTexts
        }
    }

    // The texts are shared, because creating them for each page is slow.
    private static let englishTexts = PageText(.english)
    private static let germanTexts = PageText(.german, file: PackageResources.German_txt)
    private static let hebrewTexts = PageText(.hebrew, file: PackageResources.Hebrew_txt)
}

/// The notation of a language.
extension PageLanguage {
    /// The writing direction.
    var direction: String { self == .hebrew ? "rtl" : "ltr" }

    /// The separator of groups of three digits.
    var digitSeparator: Character { self == .german ? "." : "," }

    /// The mark before the decimals.
    var decimalMark: Character { self == .german ? "," : "." }

    /// The abbreviated names of the twelve months, as in a date.
    var months: [StaticString] {
        switch self {
        case .english: Self.englishMonths
        case .german: Self.germanMonths
        case .hebrew: Self.hebrewMonths
        }
    }

    private static let englishMonths: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let germanMonths: [StaticString] = [
        "Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sep.", "Okt.", "Nov.",
        "Dez.",
    ]
    private static let hebrewMonths: [StaticString] = [
        "בינואר", "בפברואר", "במרץ", "באפריל", "במאי", "ביוני", "ביולי", "באוגוסט", "בספטמבר",
        "באוקטובר", "בנובמבר", "בדצמבר",
    ]

    /// The sign after the day of a date.
    var dayMark: StaticString { self == .german ? "." : "" }

    /// Returns the index of the form of a text that a number selects, the last for all others.
    func pluralForm(of count: Int) -> Int {
        switch (self, count) {
        case (_, 1): 0
        case (.hebrew, 2): 1
        case (.english, _), (.german, _): 1
        case (.hebrew, _): 2
        }
    }
}
