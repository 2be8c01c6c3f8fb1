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
        case .english: EnglishText()
        case .german: GermanText()
        }
    }
}
