/// What every page of a service needs: addresses and a language.
package struct HTMLSite: Sendable {
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
    /// The help for those who work by keyboard.
    private(set) var keys: HTMLMarkup

    /// Creates the addresses.
    package init(stylesheet: String, script: String, icon: String, directory: String) {
        self.stylesheet = stylesheet
        self.script = script
        self.icon = icon
        self.directory = directory
        keys = HTMLMarkup { $0.keys() }
    }

    /// What pages say.
    var texts: any PageText { language.texts }
}
