import Bytes

/// The frame of every page: head, skip link, breadcrumb, main and footer.
struct HTMLDocument {
    struct Step {
        let title: String
        let address: String?
    }

    let site: SiteAssets
    let title: String
    /// The steps after the directory, which is added.
    ///
    /// They are empty for the directory itself.
    let steps: [Step]
    /// Whether the main element contains the element `list`, which is a skip target.
    var hasList = false
    /// Whether the main element contains the form of a row, whose drafts the script keeps.
    var hasForm = false
    /// Whether the page is of a row, from which Back leads to the list beside it.
    var isRow = false
    /// Whether the title is English, although the page is in another language.
    var hasEnglishTitle = false
    var context: RenderContext?

    func write(
        to buffer: inout ByteBuffer,
        head: (inout HTMLWriter) -> Void = { _ in },
        main: (inout HTMLWriter) -> Void,
        footer: (inout HTMLWriter) -> Void
    ) {
        HTMLWriter.write(to: &buffer, in: site.language) { writer in
            writer.fragment(.headStart, in: hasList ? context : nil) { writeHeadStart(to: &$0) }
            head(&writer)
            writer.markup(hasList ? "</head>\n<body class=\"list\">\n" : "</head>\n<body>\n")
            if hasList {
                writer.element(
                    "<a class=\"skip\" href=\"#list\">",
                    writer.texts("Skip to the list"),
                    "</a>\n"
                )
            } else {
                writer.element(
                    "<a class=\"skip\" href=\"#main\">",
                    writer.texts("Skip to the content"),
                    "</a>\n"
                )
            }
            writer.markup("<header class=\"top\">\n")
            if let logo = site.logo {
                writer.markup("<img id=\"logo\" alt=\"\" height=\"32\"")
                writer.attribute("src", logo)
                writer.markup(">\n")
            }
            writer.fragment(.breadcrumb, in: context) { writeBreadcrumb(to: &$0) }
            writer.markup("</header>\n<main id=\"main\">\n")
            main(&writer)
            writer.markup("</main>\n<footer>")
            footer(&writer)
            if let footer = site.footer {
                writer.markup("<p id=\"foot\">")
                MarkdownInline(addresses: [:], base: String(site.directory.dropLast()))
                    .write(footer[...], to: &writer)
                writer.markup("</p>")
            }
            writer.markup("</footer>\n")
            if hasList { writer.markup(site.keys) }
            if hasForm { HTMLKeys.status(to: &writer) }
            writer.markup("</body>\n</html>\n")
        }
    }

    private func writeHeadStart(to writer: inout HTMLWriter) {
        writer.markup("<!doctype html>\n<html")
        writer.attribute("lang", writer.texts.language.rawValue)
        writer.attribute("dir", writer.texts.language.direction)
        writer.markup(
            """
            >
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">

            """
        )
        writer.markup(hasEnglishTitle ? "<title lang=\"en\">" : "<title>")
        writer.element("", title, "</title>\n<meta property=\"og:title\"")
        writer.attribute("content", title)
        writer.markup(">\n<link rel=\"stylesheet\"")
        writer.attribute("href", site.stylesheet)
        writer.markup(">\n<link rel=\"icon\"")
        writer.attribute("href", site.icon)
        writer.markup(">\n")
        // Other pages have no script.
        guard hasList || hasForm || isRow else { return }
        writer.markup("<script type=\"module\"")
        writer.attribute("src", site.script)
        writer.markup("></script>\n")
    }

    private func writeBreadcrumb(to writer: inout HTMLWriter) {
        let home = Step(title: writer.texts("Lists"), address: steps.isEmpty ? nil : site.directory)
        writer.markup("<nav class=\"path\"")
        writer.attribute("aria-label", writer.texts("Breadcrumb"))
        writer.markup("><ol>")
        for step in [home] + steps {
            writer.markup("<li>")
            if let address = step.address {
                writer.link(step.title, to: address)
            } else {
                writer.markup(hasEnglishTitle ? "<span lang=\"en\" dir=\"ltr\"" : "<span")
                writer.element(" aria-current=\"page\">", step.title, "</span>")
            }
            writer.markup("</li>")
        }
        writer.markup("</ol></nav>\n")
    }
}

extension HTMLWriter {
    mutating func alternates(_ alternates: [Alternate], of title: String) {
        guard !alternates.isEmpty else { return }
        element("<p>", texts("\(title) as"), "")
        for alternate in alternates {
            markup(" ")
            link(to: alternate)
        }
        markup("</p>")
    }

    mutating func link(to alternate: Alternate) {
        markup("<a")
        attribute("href", alternate.address)
        markup(" type=\"")
        markup(alternate.format.mediaType)
        element("\">", alternate.format.title, "</a>")
    }
}

package struct SiteAssets: Sendable {
    package let stylesheet: String
    package let script: String
    package let icon: String
    package let directory: String
    package var logo: String?
    package var footer: String?
    package var language = PageLanguage.english {
        didSet { keys = HTMLMarkup(in: language) { HTMLKeys.keys(to: &$0) } }
    }
    private(set) var keys: HTMLMarkup

    package init(stylesheet: String, script: String, icon: String, directory: String) {
        self.stylesheet = stylesheet
        self.script = script
        self.icon = icon
        self.directory = directory
        keys = HTMLMarkup { HTMLKeys.keys(to: &$0) }
    }

    var texts: PageText { language.texts }
}
