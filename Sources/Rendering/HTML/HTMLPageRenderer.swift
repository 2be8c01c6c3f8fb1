package import Bytes
package import Listings

/// Draws pages as HTML that needs no script: everything that can be done is a link.
package struct HTMLPageRenderer: PageRenderer {
    let site: HTMLSite

    /// Creates a renderer.
    package init(site: HTMLSite) { self.site = site }

    /// Appends a page as one table with a body for each section.
    package func render(
        _ page: borrowing Page,
        in context: ListingContext,
        to buffer: inout ByteBuffer
    ) {
        let caption = PageText.caption(context.title, page.query, page.schema)
        let alternates = context.alternates
        let emptiness = Emptiness(page)
        HTMLDocument(
            site: site,
            title: caption,
            steps: [HTMLDocument.Step(title: context.title, address: nil)],
            hasList: emptiness == nil
        ).write(
            to: &buffer,
            head: { writer in
                writer.relation("prev", page.previous.map { .before($0) }, context)
                writer.relation("next", page.next.map { .after($0) }, context)
                writer.alternateRelations(alternates)
            },
            main: { writer in
                writer.heading(of: page, in: context)
                writer.staleness(of: page)
                if let emptiness {
                    writer.emptiness(emptiness, of: page, in: context)
                } else {
                    writer.viewMenus(of: page, in: context)
                    writer.letters(of: page)
                    let layout = HTMLRowLayout(page)
                    writer.table(of: page, layout, caption: caption, in: context)
                }
                writer.pageLinks(of: page, in: context)
            },
            footer: { writer in
                writer.alternates(alternates, of: context.title)
                writer.markup("<p>")
                writer.link(PageText.schema, to: .schema, context)
                writer.markup("</p>")
            }
        )
    }
}

extension HTMLWriter {
    fileprivate mutating func relation(
        _ name: StaticString,
        _ link: PageLink?,
        _ context: ListingContext
    ) {
        guard let link else { return }
        markup("<link rel=\"")
        markup(name)
        markup("\"")
        href(link, context)
        markup(">\n")
    }

    mutating func alternateRelations(_ alternates: [Alternate]) {
        for alternate in alternates {
            markup("<link rel=\"alternate\" type=\"")
            markup(alternate.format.mediaType)
            markup("\"")
            attribute("href", alternate.address)
            markup(">\n")
        }
    }

    fileprivate mutating func heading(of page: borrowing Page, in context: ListingContext) {
        element("<div class=\"head\"><h1>", context.title, "</h1>")
        if let total = page.total {
            element("<p id=\"count\">", PageText.rows(total), "</p>")
        }
        markup("</div>\n")
    }

    /// Says that the rows are old, where they are.
    mutating func staleness(of page: borrowing Page) {
        guard page.isStale else { return }
        element("<p class=\"stale\" role=\"status\">", PageText.stale, "</p>\n")
    }

    fileprivate mutating func emptiness(
        _ emptiness: Emptiness,
        of page: borrowing Page,
        in context: ListingContext
    ) {
        element("<div class=\"empty\"><h2>", PageText.title(of: emptiness), "</h2>")
        element("<p>", PageText.message(of: emptiness), "</p>")
        switch emptiness {
        case .noData:
            element("<pre><code>", PageText.example(page.list), "</code></pre>")
        case .noMatch:
            // The first page of a question without rows would be this very page.
            let hasStart = page.query.start != .beginning
            markup("<p><a class=\"btn\"")
            href(hasStart ? .first : .list, context)
            element(">", PageText.backToTheStart, "</a></p>")
        }
        markup("</div>\n")
    }

    /// Appends links to the sections on the page, where each is a letter.
    fileprivate mutating func letters(of page: borrowing Page) {
        guard page.query.grouping?.part == .initial, page.sections.count > 1 else { return }
        markup("<nav class=\"az\"")
        attribute("aria-label", PageText.jump)
        markup("><ol>")
        for section in page.sections {
            guard let header = section.info.header, !header.isEmpty else { continue }
            anchor("<li><a href=\"#s-", section.info.id.rawValue)
            element("\">", header, "</a></li>")
        }
        markup("</ol></nav>\n")
    }

    fileprivate mutating func pageLinks(of page: borrowing Page, in context: ListingContext) {
        guard page.previous != nil || page.next != nil else { return }
        markup("<nav class=\"pages\"")
        attribute("aria-label", PageText.pages)
        markup(">")
        step(page.previous.map { .before($0) }, "prev", PageText.previous, context)
        if let first = page.firstRowNumber {
            let range = PageText.range(first: first, last: first + page.rowCount - 1)
            element(" <span class=\"n\">", range, "</span>")
        }
        markup(" ")
        step(page.next.map { .after($0) }, "next", PageText.next, context)
        markup("</nav>\n")
    }

    private mutating func step(
        _ link: PageLink?,
        _ relation: StaticString,
        _ label: String,
        _ context: ListingContext
    ) {
        guard let link else {
            return element("<span class=\"btn\" aria-disabled=\"true\">", label, "</span>")
        }
        markup("<a class=\"btn\" rel=\"")
        markup(relation)
        markup("\"")
        href(link, context)
        element(">", label, "</a>")
    }
}

extension Page {
    /// The place of the page's first row among all rows, from 1; nil where that is not known.
    fileprivate var firstRowNumber: Int? {
        guard case .flow = query.shape, rowCount > 0 else { return nil }
        switch query.start {
        case .beginning: return 1
        case .offset(let offset): return offset + 1
        case .after, .before: return nil
        }
    }
}
