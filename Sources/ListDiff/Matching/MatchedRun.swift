/// Adjacent rows that are adjacent in both states, counted through all sections.
struct MatchedRun {
    var old: Int32
    var new: Int32
    var count: Int32

    init(old: Int, new: Int, count: Int) {
        // Lists with more rows are never compared.
        self.old = Int32(truncatingIfNeeded: old)
        self.new = Int32(truncatingIfNeeded: new)
        self.count = Int32(truncatingIfNeeded: count)
    }

    var oldRows: Range<Int> { Int(old)..<Int(old) + Int(count) }
    var newRows: Range<Int> { Int(new)..<Int(new) + Int(count) }
}
