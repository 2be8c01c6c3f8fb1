import Bytes
import Listings

/// What pages that answer one question say of their sections besides the rows, drawn once for each
/// section that lasts from page to page.
struct JSONSections: ~Copyable {
    /// A section as it was drawn.
    private struct Known {
        /// Names its object, which is kept.
        let place: ObjectIdentifier
        let index: Int
        let count: Count?
        let isContinued: Bool
        let hasMore: Bool
        /// Whether its rows go on, and where is told behind them each time.
        let hasNext: Bool
        /// What stands before its rows, as a part of `text`.
        var head = 0..<0
        /// What stands behind them, unless they go on.
        var links = 0..<0

        init(_ index: Int, of page: borrowing Page) {
            // Looked at where it stands: a copy counts references for each of its texts.
            place = ObjectIdentifier(page.sections[index].place)
            self.index = index
            count = page.sections[index].count
            isContinued = page.sections[index].isContinued
            hasMore = page.sections[index].hasMore
            hasNext = page.sections[index].next != nil
        }

        func isDrawn(as other: Known) -> Bool {
            place == other.place && index == other.index && count == other.count
                && isContinued == other.isContinued && hasMore == other.hasMore
                && hasNext == other.hasNext
        }
    }

    /// The most sections that are kept.
    private static let most = 64
    /// The bytes from which on they are forgotten, and drawn again.
    private static let mostBytes = 32 * 1024
    private var text = ByteBuffer(minimumCapacity: 0)
    private var sections: [Known] = []
    /// The objects of the sections, which no others can be while they are here.
    private var places: [SectionPlace] = []
    /// The place behind that of the section drawn last: pages have them in one order.
    private var next = 0

    /// Appends a section of a page as an object.
    ///
    /// - Parameters:
    ///   - index: Its place on the page.
    ///   - page: The page.
    ///   - context: What stands around it.
    ///   - writer: Takes it.
    ///   - rows: Appends its rows.
    mutating func write(
        _ index: Int,
        of page: borrowing Page,
        in context: ListingContext,
        to writer: inout JSONWriter,
        _ rows: (inout JSONWriter) -> Void
    ) {
        let known =
            page.sections[index].place.isLasting ? known(index, of: page, in: context) : nil
        writer.object { writer in
            if let known {
                writer.drawn(known.head, of: text)
            } else {
                writer.head(ofSection: index, of: page)
            }
            writer.array("rows", rows)
            if let known, !known.hasNext {
                writer.buffer.append(known.links, of: text)
            } else {
                writer.links(ofSection: index, of: page, in: context)
            }
        }
    }

    /// A section that is drawn, now or before.
    private mutating func known(
        _ index: Int,
        of page: borrowing Page,
        in context: ListingContext
    ) -> Known {
        var section = Known(index, of: page)
        for offset in sections.indices {
            let place = next + offset
            let known = place < sections.count ? place : place - sections.count
            if sections[known].isDrawn(as: section) {
                next = known + 1
                return sections[known]
            }
        }
        if sections.count == Self.most || text.count > Self.mostBytes {
            sections.removeAll(keepingCapacity: true)
            places.removeAll(keepingCapacity: true)
            text.removeAll(keepingAtMost: Self.mostBytes)
        }
        section.head = draw { $0.head(ofSection: index, of: page) }
        if !section.hasNext {
            section.links = draw { $0.links(ofSection: index, of: page, in: context) }
        }
        sections.append(section)
        places.append(page.sections[index].place)
        next = sections.count
        return section
    }

    private mutating func draw(_ members: (inout JSONWriter) -> Void) -> Range<Int> {
        let start = text.count
        JSONWriter.write(to: &text, members)
        return start..<text.count
    }
}
