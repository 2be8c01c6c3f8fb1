/// How a service behaves, whatever its lists are.
package struct ServiceOptions: Sendable {
    /// The title of the page that leads to all lists.
    package var title = "Lists"

    /// Creates the options of nothing said.
    package init() {}

    /// Creates options with a title.
    package init(title: String) { self.title = title }
}
