/// The addresses that every page of a service needs.
package struct HTMLSite: Sendable {
    /// The address of the stylesheet.
    package let stylesheet: String
    /// The address of the icon.
    package let icon: String
    /// The address of the directory of lists.
    package let directory: String

    /// Creates the addresses.
    package init(stylesheet: String, icon: String, directory: String) {
        self.stylesheet = stylesheet
        self.icon = icon
        self.directory = directory
    }
}
