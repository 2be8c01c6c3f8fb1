import Bytes
import Listings

extension JSONWriter {
    /// Appends the members of a section as far as it is on a page that stand before its rows.
    mutating func head(ofSection index: Int, of page: borrowing Page) {
        section(index, of: page, index: index)
        lead(",\"count\":")
        count(page.sections[index].count)
        lead(",\"continued\":")
        boolean(page.sections[index].isContinued)
        lead(",\"more\":")
        boolean(page.sections[index].hasMore)
    }

    /// Appends the ways to a section's rows, behind its other members.
    mutating func links(
        ofSection index: Int,
        of page: borrowing Page,
        in context: ListingContext
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

    /// Appends the address that tells what changed since a page was as it is.
    mutating func changes(since page: borrowing Page, in context: ListingContext) {
        beginChanges(in: context)
        endChanges(since: page)
    }

    /// Appends what stands before the name of the page in that member, which is not closed.
    mutating func beginChanges(in context: ListingContext) {
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

    /// Appends the name of the page, and closes the member.
    mutating func endChanges(since page: borrowing Page) {
        // In base64url, of which no character needs an escape.
        buffer.append(page.windowName)
        buffer.append(UInt8(ascii: "\""))
    }
}
