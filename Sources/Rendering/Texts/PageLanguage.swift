/// A language of pages.
///
/// Texts of a list, such as its title, columns and values, are not translated.
package enum PageLanguage: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case german = "de"
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

extension PageLanguage {
    var direction: String { self == .hebrew ? "rtl" : "ltr" }

    var digitSeparator: Character { self == .german ? "." : "," }

    var decimalMark: Character { self == .german ? "," : "." }

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

    var dayMark: StaticString { self == .german ? "." : "" }

    func pluralForm(of count: Int) -> Int {
        switch (self, count) {
        case (_, 1): 0
        case (.hebrew, 2): 1
        case (.english, _), (.german, _): 1
        case (.hebrew, _): 2
        }
    }
}
