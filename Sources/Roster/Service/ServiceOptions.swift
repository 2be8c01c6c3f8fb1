package import Rendering

/// How a service behaves, whatever its lists are.
package struct ServiceOptions: Sendable {
    /// The title of the page that leads to all lists.
    package var title = "Lists"
    /// What draws rows, headers and footers that have a template.
    package var templates = TemplateSet()
    /// Whether a page with a row that cannot be shown is refused (500), rather than shown with an
    /// error in its place.
    package var isStrict = false
    /// What people are told on the pages that actions lead them to.
    let notices = NoticeBoard()

    /// Creates the options of nothing said.
    package init() {}
}
