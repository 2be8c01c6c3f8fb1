import Bytes

/// A cache of rendered bytes that are the same on all pages of one prepared request.
final class FragmentCache {
    /// A part of a page that depends on the request and its client, but on no row.
    enum Fragment: Int, CaseIterable {
        // JSON: groups of members.
        case list, order, columns, firstLinks, changes, furtherLinks
        // HTML: groups of elements.
        case headStart, alternateRelations, breadcrumb, search, viewMenus, viewMenu
        case columnHeaders, alternates
    }

    /// The maximum number of cached bytes, because a list of many columns has many addresses.
    private static let maximumBytes = 32 * 1024
    private var text = ByteBuffer(minimumCapacity: 1024)
    private var ranges = [Range<Int>?](repeating: nil, count: Fragment.allCases.count)

    func write(_ fragment: Fragment, to buffer: inout ByteBuffer) -> Bool {
        guard let range = ranges[fragment.rawValue] else { return false }
        buffer.append(range, of: text)
        return true
    }

    func keep(_ fragment: Fragment, _ range: Range<Int>, of buffer: borrowing ByteBuffer) {
        let start = text.count
        guard start + range.count <= Self.maximumBytes else { return }
        text.append(range, of: buffer)
        ranges[fragment.rawValue] = start..<text.count
    }
}
