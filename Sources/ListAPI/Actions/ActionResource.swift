import HTTP
import Rendering

struct ActionResource {
    /// The name of the action that moves a row; it is reserved.
    static let move = "move"

    /// The path segment of the rows below a row; no action may have this name.
    static let children = "children"

    let list: String
    let row: String?
    let action: String
    let suffix: PageFormat?

    init(_ route: Route, _ captures: RouteCaptures) {
        self.init(
            list: captures[0],
            row: route == .rowAction ? FormatSuffix.name(ofInner: captures[1]) : nil,
            captures[captures.count - 1]
        )
    }

    init?(_ path: RequestPath) {
        guard path.count == 4 else { return nil }
        let segments = path.segments
        if segments[1] == "-", segments[2] == "actions" {
            self.init(list: segments[0], row: nil, segments[3])
        } else if segments[2] == "-" {
            self.init(
                list: segments[0],
                row: FormatSuffix.name(ofInner: segments[1]),
                segments[3]
            )
        } else {
            return nil
        }
    }

    private init(list: String, row: String?, _ last: String) {
        let name = FormatSuffix(last)
        self.list = list
        self.row = row
        action = name.name
        suffix = name.format
    }

    var isChildren: Bool { row != nil && action == Self.children }

    var isMove: Bool { row != nil && action == Self.move }
}
