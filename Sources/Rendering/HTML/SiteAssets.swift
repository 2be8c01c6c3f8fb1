/// The addresses and the language of all pages of a service.
package struct SiteAssets: Sendable {
    /// The address of the stylesheet.
    package let stylesheet: String
    /// The address of the script.
    package let script: String
    /// The address of the icon.
    package let icon: String
    /// The address of the directory of lists.
    package let directory: String
    /// The language of the pages.
    package var language = PageLanguage.english {
        didSet { keys = HTMLMarkup(in: language) { $0.keys() } }
    }
    /// The help for keyboard users.
    private(set) var keys: HTMLMarkup

    /// Creates a site with English pages.
    package init(stylesheet: String, script: String, icon: String, directory: String) {
        self.stylesheet = stylesheet
        self.script = script
        self.icon = icon
        self.directory = directory
        keys = HTMLMarkup { $0.keys() }
    }

    /// The texts of pages.
    var texts: any PageText { language.texts }
}
