import Bytes
import Listings

extension JSONWriter {
    /// Appends the members of a section on a page that precede its rows.
    mutating func head(ofSection index: Int, of page: borrowing Page) {
        section(index, of: page, index: index)
        lead(",\"count\":")
        count(page.sections[index].count)
        lead(",\"continued\":")
        boolean(page.sections[index].isContinued)
        lead(",\"more\":")
        boolean(page.sections[index].hasMore)
    }

    /// Appends the links to a section's rows, after its other members.
    mutating func links(
        ofSection index: Int,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        let id = page.sections[index].info.id
        lead(",\"links\":{\"self\":")
        string { context.links.write(.section(id), to: &$0) }
        lead(",\"next\":")
        if let next = page.sections[index].next {
            string { context.links.write(.sectionAfter(id, next), to: &$0) }
        } else {
            null()
        }
        buffer.append(UInt8(ascii: "}"))
    }

    /// Appends the address that reports changes since this version of the page.
    mutating func changes(since page: borrowing Page, in context: RenderContext) {
        beginChanges(in: context)
        endChanges(since: page)
    }

    /// Appends the part of that member before the version, without closing the member.
    mutating func beginChanges(in context: RenderContext) {
        string("changes") { address in
            let start = address.count
            context.links.write(.changes, to: &address)
            let hasQuery = address.withBytes { bytes in
                (start..<bytes.count).contains { bytes[$0] == UInt8(ascii: "?") }
            }
            address.append(hasQuery ? "&since=" as StaticString : "?since=")
        }
        buffer.truncate(to: buffer.count - 1)
    }

    /// Appends the version of the page, and closes the member.
    mutating func endChanges(since page: borrowing Page) {
        // Base64url needs no escape.
        buffer.append(page.windowName)
        buffer.append(UInt8(ascii: "\""))
    }
}
