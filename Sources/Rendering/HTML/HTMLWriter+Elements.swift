import Bytes
import Listings

extension HTMLWriter {
    /// Appends an element that contains only text.
    mutating func element(_ open: StaticString, _ text: String, _ close: StaticString) {
        markup(open)
        self.text(text)
        markup(close)
    }

    /// Appends ` href="…"`.
    mutating func href(_ link: PageLink, _ context: RenderContext) {
        attribute("href") { context.links.write(link, to: &$0) }
    }

    /// Appends a link that contains only text.
    mutating func link(_ text: String, to address: String) {
        markup("<a")
        attribute("href", address)
        markup(">")
        self.text(text)
        markup("</a>")
    }

    /// Appends a link that contains only text.
    mutating func link(_ text: String, to link: PageLink, _ context: RenderContext) {
        markup("<a")
        href(link, context)
        markup(">")
        self.text(text)
        markup("</a>")
    }

    /// Appends an element name made from an id, percent-encoded because it must not contain spaces.
    mutating func anchor(_ prefix: StaticString, _ id: String) {
        markup(prefix)
        text { PercentEncoding.encode(id, for: .scriptComponent, into: &$0) }
    }
}
