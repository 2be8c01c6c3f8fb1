/// A row, taken out of its page: what is shown of a model.
///
/// Pages hold rows in one common memory; this copy of one is for whoever changes it
/// (``RowEvents/willRender``), compares it or looks at it alone.
public struct Row: Hashable, Sendable {
    /// Names the row in addresses.
    public let id: String
    /// Names what shows it: the identifier its controller was registered under.
    public let kind: String
    /// The values, one for each column of its controller, in their order.
    public var cells: [CellValue]
    /// What people read instead, where it differs, by the position of the cell.
    public var displays: [Int: String]
    /// Where it leads.
    public var link: RowLink
    /// What can be done with it.
    public var actions: [RowAction]
    /// Its depth in an outline, 0 at the top; nil is a row outside of outlines.
    public var level: Int?
    /// Whether the rows below it in an outline are shown; nil where it can have none.
    public var isExpanded: Bool?
    /// Where an outline shows or hides the rows below it.
    public var toggle: String?
    /// How many columns of a grid it takes, from 1; nil is 1, and more than there are is all.
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

/// Where a row leads.
public enum RowLink: Hashable, Sendable {
    /// To its own address, which the service knows.
    case own
    /// To another address.
    case address(String)
    /// Nowhere; its own address can be read nevertheless.
    case absent
    /// Nowhere, and its own address is refused (403).
    case closed
}

/// A row's place in an outline.
public struct RowOutline: Hashable, Sendable {
    /// How deep it stands, 0 at the top.
    public var level: Int
    /// Whether the rows below it are shown; nil where it can have none.
    public var isExpanded: Bool?
    /// Where the rows below it are shown or hidden, which is also where rows that are fetched only
    /// when they are asked for come from; nil where that cannot be done.
    public var toggle: String?

    /// Creates a place.
    public init(level: Int, isExpanded: Bool? = nil, toggle: String? = nil) {
        self.level = level
        self.isExpanded = isExpanded
        self.toggle = toggle
    }
}
