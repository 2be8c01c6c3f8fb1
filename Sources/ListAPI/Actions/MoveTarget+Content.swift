import Listings

extension MoveTarget {
    /// Reads the target of a move: exactly one of `before`, `after`, `to` and `step`.
    ///
    /// - Throws: ``ContentValidationError``.
    init(_ content: RequestContent) throws(ContentValidationError) {
        let choices = ["before", "after", "to", "step"]
        let members = try BodyFields(content, allowed: choices)
        switch try members.choice(among: choices) {
        case "before": self = .before(try members.text("before"))
        case "after": self = .after(try members.text("after"))
        case "step": self = try members.isUp("step") ? .up : .down
        default:
            let (section, row) = try members.pair("to")
            self = .to(IndexPath(section: section, row: row))
        }
    }
}
