/// A language of pages.
///
/// Texts of a list, such as its title, columns and values, are not translated.
package enum PageLanguage: String, CaseIterable, Hashable, Sendable {
    /// English.
    case english = "en"
    /// German.
    case german = "de"

    /// The texts of pages in the language.
    var texts: any PageText {
        switch self {
        case .english: Self.englishTexts
        case .german: Self.germanTexts
        }
    }

    // The texts are shared, because creating them for each page is slow.
    private static let englishTexts: any PageText = EnglishText()
    private static let germanTexts: any PageText = GermanText()
}
