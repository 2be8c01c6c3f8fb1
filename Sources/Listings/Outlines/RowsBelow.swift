/// What is below a row of an outline whose rows below are shown.
public struct RowsBelow: Hashable, Sendable {
    /// The models there are.
    public let count: Int
    /// Those of them that the page shows: the first ones.
    public let shown: Int
}

/// Where a page stands in an outline while it is filled.
struct OutlinePosition: Sendable {
    /// What the ids of rows appended now begin with; empty at the top.
    var prefix = ""
    /// How deep rows appended now stand.
    var level = 0
    /// The models below rows that the page still has room for.
    var room = 0
}

/// A row that is looked for below others, and what of it is to be read.
struct OutlineSearch: Sendable {
    /// The ids of the models on the way that is still to go.
    var way: ArraySlice<String>
    /// The page of the rows below it that is asked for; nil asks for the row itself.
    let children: ListQuery?
    /// The signature of that question's cursors.
    let signature: UInt32
    /// Whether the row was found.
    var isFound = false
    /// Why what is below a row could not be read.
    var error: SourceError?
}
