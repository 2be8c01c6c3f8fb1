package import Bytes

package struct DocumentationPage: Sendable {
    package let name: String
    package let fileName: String
    package let text: String

    private init(_ fileName: String, _ content: [UInt8]) {
        self.fileName = fileName
        name = fileName.dropLast(".md".count).lowercased()
        text = String(decoding: content, as: UTF8.self)
    }

    package static let all = [
        DocumentationPage("Querying.md", PackageResources.Querying_md),
        DocumentationPage("Problems.md", PackageResources.Problems_md),
    ]

    var title: String { String(text.prefix { !$0.isNewline }.drop { "# ".contains($0) }) }

    private var summary: Substring {
        text.split(separator: "\n", maxSplits: 2).dropFirst().first ?? ""
    }

    package static func index(linking address: (DocumentationPage) -> String) -> String {
        all.reduce("# Documentation\n\n") { index, page in
            var renderer = MarkdownRenderer()
            var buffer = ByteBuffer()
            HTMLWriter.write(to: &buffer) { renderer.write(page.text, to: &$0) }
            let target = address(page)
            let sections = renderer.headings.filter { $0.level == 2 }
                .map { "  - [\($0.title)](\(target)#\($0.id))\n" }
            return index + "- [\(page.title)](\(target)): \(page.summary)\n" + sections.joined()
        }
    }
}

package struct DocumentationDocument: Sendable {
    /// The shown page, or nil for the index.
    package var page: DocumentationPage?
    package var indexAddress: String
    package var pageAddresses: [String: String]
    package var markdownAddress: String

    package init(
        page: DocumentationPage?,
        indexAddress: String,
        pageAddresses: [String: String],
        markdownAddress: String
    ) {
        self.page = page
        self.indexAddress = indexAddress
        self.pageAddresses = pageAddresses
        self.markdownAddress = markdownAddress
    }
}

extension HTMLPageRenderer {
    package func render(_ document: DocumentationDocument, to buffer: inout ByteBuffer) {
        let title = document.page?.title
        let index = HTMLDocument.Step(
            title: texts("Documentation"),
            address: title == nil ? nil : document.indexAddress
        )
        HTMLDocument(
            site: site,
            title: title ?? texts("Documentation"),
            steps: [index] + (title.map { [HTMLDocument.Step(title: $0, address: nil)] } ?? [])
        ).write(
            to: &buffer,
            main: { writer in
                var renderer = MarkdownRenderer(addresses: document.pageAddresses)
                writer.markup("<article class=\"doc\" lang=\"en\" dir=\"ltr\">\n")
                let text = document.page?.text ?? DocumentationPage.index(linking: \.fileName)
                renderer.write(text, to: &writer)
                writer.markup("</article>\n")
            },
            footer: { writer in
                let title = title ?? texts("Documentation")
                writer.element("<p>", texts("\(title) as"), " <a type=\"text/markdown\"")
                writer.attribute("href", document.markdownAddress)
                writer.markup(">Markdown</a></p>")
            }
        )
    }
}
