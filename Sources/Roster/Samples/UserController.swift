public import Listings

/// A row controller for users, which shows names, occupation and further values.
public struct UserController: RowController {
    /// The kind of every user's row.
    public let kind = "user.row"
    /// First name, last name, occupation and the further columns.
    public let columns: [Column]

    /// Creates a controller.
    ///
    /// - Parameter further: The columns of ``User/further``, in their order.
    public init(further: [Column] = []) {
        columns =
            [
                Column("firstName", priority: 1, isGroupable: true),
                Column("lastName", priority: 1, isGroupable: true),
                Column("occupation", isGroupable: true),
            ] + further
    }

    /// Writes the cells of a user.
    ///
    /// Missing further values become null.
    public func write(_ context: Context<User>, to cells: inout CellBuffer) {
        cells.append(context.model.firstName)
        cells.append(context.model.lastName)
        cells.append(context.model.occupation)
        for index in 0..<columns.count - 3 {
            let isThere = index < context.model.further.count
            cells.append(isThere ? context.model.further[index] : .null)
        }
    }

    /// The user's revision.
    public func revision(of model: User) -> Int64? { model.revision }
}
