/// The children of an expanded row of an outline.
public struct ChildRows: Hashable, Sendable {
    /// The number of child models.
    public let count: Int
    /// The number of first children that the page shows.
    public let shown: Int
}

/// The position in an outline while a page is filled.
struct OutlinePosition: Sendable {
    /// The prefix of the ids of appended rows; empty at the top.
    var prefix = ""
    /// The depth of appended rows.
    var level = 0
    /// The number of child models that the page still has room for.
    var room = 0
}

/// A search for a child row, and the rows to read there.
struct OutlineSearch: Sendable {
    /// The ids of the remaining models of the path.
    var way: ArraySlice<String>
    /// The query for the children of the row; nil reads the row itself.
    let children: ListQuery?
    /// The signature of the query's cursors.
    let signature: UInt32
    /// Whether the row was found.
    var isFound = false
    /// The error when children could not be read.
    var error: SourceError?
}
