/// A language that pages are written in.
///
/// Texts that come from a list – its title, columns and values – stay as they are.
package enum PageLanguage: String, CaseIterable, Hashable, Sendable {
    /// English.
    case english = "en"
    /// German.
    case german = "de"

    /// What pages say in the language.
    var texts: any PageText {
        switch self {
        case .english: Self.englishTexts
        case .german: Self.germanTexts
        }
    }

    // Made once: of a page of JSON, two parts in a hundred were the making.
    private static let englishTexts: any PageText = EnglishText()
    private static let germanTexts: any PageText = GermanText()
}
