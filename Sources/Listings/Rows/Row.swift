/// A copy of one row of a page, which represents a model.
///
/// Pages hold their rows in shared memory. This copy is for code that changes
/// (``RowEvents/willRender``), compares or inspects a single row.
public struct Row: Hashable, Sendable {
    /// The id of the row in URLs.
    public let id: String
    /// The kind of the row: the identifier under which its controller was registered.
    public let kind: String
    /// The values, one for each column of its controller, in their order.
    public var cells: [CellValue]
    /// The displayed texts of cells where they differ from the value, by cell position.
    public var displays: [Int: String]
    /// The link of the row.
    public var link: RowLink
    /// The actions of the row.
    public var actions: [RowAction]
    /// Its depth in an outline, 0 at the top; nil is a row outside of outlines.
    public var level: Int?
    /// Whether the rows below it in an outline are shown; nil if it can have none.
    public var isExpanded: Bool?
    /// The URL that shows or hides the rows below it in an outline.
    public var toggle: String?
    /// The number of grid columns it spans, from 1.
    ///
    /// Nil is 1, and more than there are is all.
    public var span: Int?

    /// Creates a row.
    public init(
        id: String,
        kind: String,
        cells: [CellValue],
        displays: [Int: String] = [:],
        link: RowLink = .own,
        actions: [RowAction] = [],
        level: Int? = nil,
        isExpanded: Bool? = nil,
        toggle: String? = nil,
        span: Int? = nil
    ) {
        self.id = id
        self.kind = kind
        self.cells = cells
        self.displays = displays
        self.link = link
        self.actions = actions
        self.level = level
        self.isExpanded = isExpanded
        self.toggle = toggle
        self.span = span
    }
}

/// The target of a row's link.
public enum RowLink: Hashable, Sendable {
    /// The row's own URL, which the service knows.
    case own
    /// Another URL.
    case address(String)
    /// No link. The row's own URL can still be read.
    case absent
    /// No link, and the row's own URL is refused (403).
    case closed
}

/// A row's place in an outline.
public struct RowOutline: Hashable, Sendable {
    /// The depth of the row, 0 at the top.
    public var level: Int
    /// Whether the rows below it are shown; nil if it can have none.
    public var isExpanded: Bool?
    /// The URL that shows or hides the rows below it, and from which rows that load on demand are
    /// fetched.
    ///
    /// It is nil if that is not possible.
    public var toggle: String?

    /// Creates a place.
    public init(level: Int, isExpanded: Bool? = nil, toggle: String? = nil) {
        self.level = level
        self.isExpanded = isExpanded
        self.toggle = toggle
    }
}
