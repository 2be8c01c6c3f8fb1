import Bytes
import Listings

extension HTMLPieces {
    func render(
        _ row: Int,
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        to buffer: inout ByteBuffer
    ) {
        HTMLWriter.write(to: &buffer, in: renderer.site.language) { writer in
            switch context.layout {
            case .table: writer.row(row, of: page, layout, in: context)
            case .grid, .board:
                let section = page.sections.first { $0.rows.contains(row) }
                let isTitled = section?.isTitled ?? false
                writer.card(row, of: page, layout, in: context, isTitled: isTitled)
            }
        }
    }

    func render(
        section index: Int,
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        to buffer: inout ByteBuffer
    ) {
        HTMLWriter.write(to: &buffer, in: renderer.site.language) { writer in
            switch context.layout {
            case .table: writer.section(index, of: page, layout, in: context) { _ in }
            case .grid, .board:
                writer.cards(ofSection: index, of: page, layout, in: context) { _ in }
            }
        }
    }
}

extension HTMLPieces {
    func renderCount(of page: borrowing Page, to buffer: inout ByteBuffer) {
        HTMLWriter.write(to: &buffer, in: renderer.site.language) { writer in
            writer.count(of: page, in: context)
        }
    }
}

extension HTMLWriter {
    mutating func following(_ page: borrowing Page, in context: RenderContext) {
        guard !page.windowName.isEmpty else {
            return attribute("data-version") { page.writeVersion(to: &$0) }
        }
        plainAttribute("data-version", page.windowName)
        attribute("data-changes") { context.links.write(.changes, to: &$0) }
    }
}

extension Page {
    /// Appends the version for clients: the digest of the page, or else the version of the list.
    borrowing func writeVersion(to buffer: inout ByteBuffer) {
        if windowName.isEmpty { version.write(to: &buffer) } else { buffer.append(windowName) }
    }
}
