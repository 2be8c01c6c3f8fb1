import HTTP
import Rendering
import Routing

/// What the address of an action names.
struct ActionPlace {
    /// The action that moves a row; no other action can have its name.
    static let move = "move"

    /// What stands below a row; no action can have its name.
    static let children = "children"

    /// The name of the list.
    let list: String
    /// The id of the row; nil where the content says which rows are meant.
    let row: String?
    /// The name of the action.
    let action: String
    /// The format, if the address named it by a suffix.
    let suffix: PageFormat?

    /// Reads the captures of a route.
    init(_ route: Route, _ captures: RouteCaptures) {
        self.init(
            list: captures[0],
            row: route == .rowAction ? SuffixedName.name(ofInner: captures[1]) : nil,
            captures[captures.count - 1]
        )
    }

    /// Reads a path; nil when it is not an action's.
    init?(_ path: RequestPath) {
        guard path.count == 4 else { return nil }
        let segments = path.segments
        if segments[1] == "-", segments[2] == "actions" {
            self.init(list: segments[0], row: nil, segments[3])
        } else if segments[2] == "-" {
            self.init(
                list: segments[0],
                row: SuffixedName.name(ofInner: segments[1]),
                segments[3]
            )
        } else {
            return nil
        }
    }

    private init(list: String, row: String?, _ last: String) {
        let name = SuffixedName(last)
        self.list = list
        self.row = row
        action = name.name
        suffix = name.format
    }

    /// Whether it is no action, but the rows below a row.
    var isChildren: Bool { row != nil && action == Self.children }

    /// Whether a row is to be moved.
    var isMove: Bool { row != nil && action == Self.move }
}
