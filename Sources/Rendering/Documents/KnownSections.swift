import Bytes
import Listings

/// What pages that answer one question say of their sections besides the rows, drawn once for each
/// section that lasts from page to page.
struct KnownSections: ~Copyable {
    /// A part of what is said of a section.
    enum Part {
        /// What stands before its rows.
        case head
        /// What stands behind them.
        case foot
    }

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
        /// What stands before its rows, as a part of `text`; nil until it was drawn.
        var head: Range<Int>?
        /// What stands behind them.
        var foot: Range<Int>?

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
    /// The place behind that of the section looked for last: pages have them in one order.
    private var next = 0

    /// Finds the number of a section by which its parts are known.
    ///
    /// - Parameters:
    ///   - index: Its place on the page.
    ///   - page: The page.
    /// - Returns: The number; nil where the section does not last.
    mutating func number(ofSection index: Int, on page: borrowing Page) -> Int? {
        guard page.sections[index].place.isLasting else { return nil }
        let section = Known(index, of: page)
        if let number = sections.firstIndex(from: next, where: { $0.isDrawn(as: section) }) {
            next = number + 1
            return number
        }
        if sections.count == Self.most || text.count > Self.mostBytes {
            sections.removeAll(keepingCapacity: true)
            places.removeAll(keepingCapacity: true)
            text.removeAll(keepingAtMost: Self.mostBytes)
        }
        sections.append(section)
        places.append(page.sections[index].place)
        next = sections.count
        return sections.count - 1
    }

    /// Appends a part that was drawn before.
    ///
    /// - Returns: Whether it was.
    func write(_ part: Part, of number: Int, to buffer: inout ByteBuffer) -> Bool {
        let range = part == .head ? sections[number].head : sections[number].foot
        guard let range else { return false }
        buffer.append(range, of: text)
        return true
    }

    /// Keeps a part, unless the section goes on behind it: where is told anew each time.
    mutating func keep(
        _ part: Part,
        of number: Int,
        _ range: Range<Int>,
        of buffer: borrowing ByteBuffer
    ) {
        let start = text.count
        switch part {
        case .head: sections[number].head = start..<start + range.count
        case .foot:
            guard !sections[number].hasNext else { return }
            sections[number].foot = start..<start + range.count
        }
        text.append(range, of: buffer)
    }
}
