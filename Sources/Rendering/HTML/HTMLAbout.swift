import Listings

struct HTMLAbout {
    private let about: ListAbout

    init(_ about: ListAbout) { self.about = about }

    func write(to writer: inout HTMLWriter) {
        guard !about.isEmpty else { return }
        writer.markup("<p class=\"lead\">")
        if let description = about.description { writer.text(description) }
        let isDescribed = about.description != nil
        write(writer.texts("Source"), about.source, isFirst: !isDescribed, to: &writer)
        let isFirst = !isDescribed && about.source == nil
        write(writer.texts("License"), about.license, isFirst: isFirst, to: &writer)
        writer.markup("</p>\n")
    }

    private func write(
        _ label: String,
        _ value: String?,
        isFirst: Bool,
        to writer: inout HTMLWriter
    ) {
        guard let value else { return }
        writer.element(isFirst ? "" : " · ", label, ": ")
        let address = value.utf8.span
        guard SafeURL.isWeb(address) else { return writer.text(value) }
        writer.link(String(value.dropFirst(SafeURL.schemeLength(address))), to: value)
    }
}
