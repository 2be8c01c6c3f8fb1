import Bytes
import Listings
import Rendering

/// The addresses around the pages that answer one question: those that all these pages have are
/// written once, and copied from then on.
final class KnownLinks: PageLinks {
    let links: ListLinks
    private var text = ByteBuffer(minimumCapacity: 256)
    /// The place of the first format, behind the addresses of which there is one.
    private static let firstFormat = 7
    /// Where addresses stand in `text`, by ``place(of:)``.
    private var ranges = [Range<Int>?](
        repeating: nil,
        count: firstFormat + PageFormat.allCases.count
    )
    /// Sections that were linked to: where their ids and addresses stand in `text`.
    private var sections: [(isFolding: Bool, id: Range<Int>, address: Range<Int>)] = []
    private static let maximumSections = 64
    /// The place behind that of the section linked to last: pages have them in one order.
    private var nextSection = 0
    /// The cursor written last, which a page names in its head and twice in its body.
    private var cursor: Cursor?
    private var cursorText = ByteBuffer(minimumCapacity: 128)
    /// Memory for the bytes of cursors.
    private var scratch = ByteBuffer(minimumCapacity: 0)

    init(_ links: ListLinks) { self.links = links }

    func write(_ link: PageLink, to buffer: inout ByteBuffer) {
        if let place = Self.place(of: link) {
            writeKnown(link, place, to: &buffer)
        } else if case .section(let id) = link {
            writeSection(id, link, to: &buffer)
        } else if case .foldingSection(let key) = link {
            writeSection(links.sectionID(of: key), isFolding: true, link, to: &buffer)
        } else if case .sectionAfter(let id, let cursor) = link, links.layout == .table {
            let start = buffer.count
            writeSection(id, .section(id), to: &buffer)
            begin("after", behindAddressAt: start, of: &buffer)
            // It is another one than the page's, and written once.
            cursor.write(signedBy: links.cursorKeys, using: &scratch, to: &buffer)
        } else if case .after(let cursor) = link, links.endsWithStart {
            write(cursor, as: "after", to: &buffer)
        } else if case .before(let cursor) = link, links.endsWithStart {
            write(cursor, as: "before", to: &buffer)
        } else {
            links.write(link, to: &buffer)
        }
    }

    private func writeKnown(_ link: PageLink, _ place: Int, to buffer: inout ByteBuffer) {
        if let range = ranges[place] { return buffer.append(range, of: text) }
        let start = text.count
        links.write(link, to: &text)
        ranges[place] = start..<text.count
        buffer.append(start..<text.count, of: text)
    }

    /// Appends an address of a section: the one of its rows, or the one that hides or shows them.
    private func writeSection(
        _ id: SectionID,
        isFolding: Bool = false,
        _ link: PageLink,
        to buffer: inout ByteBuffer
    ) {
        // Byte for byte: ids that are equal may be spelled otherwise.
        if let known = place(ofSection: id.rawValue.utf8.span, isFolding: isFolding) {
            nextSection = known + 1
            return buffer.append(sections[known].address, of: text)
        }
        guard sections.count < Self.maximumSections else {
            return links.write(link, to: &buffer)
        }
        let start = text.count
        text.append(id.rawValue)
        let end = text.count
        links.write(link, to: &text)
        sections.append((isFolding, start..<end, end..<text.count))
        nextSection = sections.count
        buffer.append(end..<text.count, of: text)
    }

    /// The place of a section that was linked to.
    private func place(ofSection id: borrowing Span<UInt8>, isFolding: Bool) -> Int? {
        // From the one before on: a section that goes on is linked to twice.
        let (sections, next) = (sections, max(0, nextSection - 1))
        return text.withBytes { text in
            sections.firstIndex(from: next) { section in
                section.isFolding == isFolding && section.id.count == id.count
                    && text.extracting(section.id).equals(id)
            }
        }
    }

    /// Begins a further parameter of an address.
    private func begin(
        _ name: StaticString,
        behindAddressAt start: Int,
        of buffer: inout ByteBuffer
    ) {
        var parameters = ListLinks.Parameters(behind: buffer, from: start)
        parameters.begin(name, in: &buffer)
    }

    /// Appends the address of the page that begins at a position.
    private func write(_ cursor: Cursor, as name: StaticString, to buffer: inout ByteBuffer) {
        let start = buffer.count
        write(.first, to: &buffer)
        begin(name, behindAddressAt: start, of: &buffer)
        writeCursor(cursor, to: &buffer)
    }

    func writeCursor(_ cursor: Cursor, to buffer: inout ByteBuffer) {
        if self.cursor != cursor {
            self.cursor = cursor
            cursorText.removeAll()
            cursor.write(signedBy: links.cursorKeys, using: &scratch, to: &cursorText)
        }
        buffer.append(cursorText)
    }

    /// The number of an address that is the same on all pages; nil for every other.
    private static func place(of link: PageLink) -> Int? {
        switch link {
        case .list: 0
        case .current: 1
        case .first: 2
        case .sections: 3
        case .schema: 4
        case .refresh: 5
        case .changes: 6
        case .alternate(let format): firstFormat + format.number
        default: nil
        }
    }

    func writeRow(_ id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        links.writeRow(id, to: &buffer)
    }

    func writeAddress(_ address: String, to buffer: inout ByteBuffer) {
        links.writeAddress(address, to: &buffer)
    }

    func writeRowStem(to buffer: inout ByteBuffer) -> Bool { links.writeRowStem(to: &buffer) }

    func writeAction(
        _ name: String,
        ofRow id: borrowing Span<UInt8>,
        to buffer: inout ByteBuffer
    ) {
        links.writeAction(name, ofRow: id, to: &buffer)
    }

    func writeBulkAction(_ name: String, to buffer: inout ByteBuffer) {
        links.writeBulkAction(name, to: &buffer)
    }

    func writeChildren(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        links.writeChildren(ofRow: id, to: &buffer)
    }

    var linksCells: Bool { links.linksCells }

    func writeCell(column: Int, ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        links.writeCell(column: column, ofRow: id, to: &buffer)
    }

    func writeToggle(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        links.writeToggle(ofRow: id, to: &buffer)
    }

    func parameters(of link: PageLink) -> [(name: String, value: String)] {
        links.parameters(of: link)
    }
}
