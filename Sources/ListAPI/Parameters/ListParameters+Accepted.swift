extension ListParameters {
    /// The groups of parameters that an address accepts.
    package struct Accepted: OptionSet, Sendable {
        /// The groups as bits.
        package let rawValue: Int

        /// Creates a set of groups.
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// `limit`, `after`, `before` and `page`.
        package static let paging = Accepted(rawValue: 1)
        /// `sort` and `columns`.
        package static let rows = Accepted(rawValue: 2)
        /// `group`.
        package static let grouping = Accepted(rawValue: 4)
        /// `section` and `per_section`.
        package static let sections = Accepted(rawValue: 8)
        /// `columns` without `sort`.
        package static let columns = Accepted(rawValue: 16)
        /// `layout`.
        package static let layout = Accepted(rawValue: 32)
        /// `segment`.
        package static let segment = Accepted(rawValue: 64)
        /// `expanded`.
        package static let outline = Accepted(rawValue: 128)
        /// `collapsed`.
        package static let folding = Accepted(rawValue: 256)
        /// `on_duplicate`.
        package static let duplicates = Accepted(rawValue: 1 << 16)
        /// `since` and `include`.
        package static let changes = Accepted(rawValue: 1 << 17)
        /// `q`, and every column with its operators.
        package static let filters = Accepted(rawValue: 512)
        /// `count`.
        package static let counts = Accepted(rawValue: 1024)
        /// `facets` and `jump`.
        package static let overview = Accepted(rawValue: 2048)

        /// The names of the parameters for changes, which columns may have, too.
        package static let changeNames = ["since", "include"]

        /// The names of the parameters.
        var names: [String] {
            var names: [String] = []
            if contains(.paging) { names += ["limit", "after", "before", "page"] }
            if contains(.rows) { names += ["sort", "columns"] }
            if contains(.columns) { names += ["columns"] }
            if contains(.grouping) { names += ["group"] }
            if contains(.sections) { names += ["section", "per_section"] }
            if contains(.filters) { names += ["q"] }
            if contains(.counts) { names += ["count"] }
            if contains(.overview) { names += ["facets", "jump"] }
            if contains(.layout) { names += ["layout"] }
            if contains(.segment) { names += ["segment"] }
            if contains(.folding) { names += ["collapsed"] }
            if contains(.outline) { names += ["expanded"] }
            if contains(.changes) { names += Self.changeNames }
            if contains(.duplicates) { names += ["on_duplicate"] }
            return names
        }

        /// The names of the parameters for people.
        var known: [String] {
            contains(.filters) ? names + ["{column}", "{column}__{operator}"] : names
        }
    }
}
