/// What a list does with its rows besides showing their cells.
///
/// The counterpart of an adapter's events. Each is optional, and an event that is not set is a
/// feature that is absent from the output, never one with a value made up. The closures are called
/// on the thread that reads the page, at most once for each row unless they say otherwise.
public struct RowEvents<Model: Sendable>: Sendable {
    /// Is told all rows of a page before any of them is written: the place to fetch what they need
    /// together, and not row by row.
    ///
    /// Called once for each page with rows of the registration, with all of them in order. When it
    /// throws, each of the rows is an error.
    public var prefetch: (@Sendable ([Context<Model>]) throws -> Void)?
    /// Changes a row that is otherwise ready.
    ///
    /// Costs a copy of the row's cells. When it throws, or leaves another number of cells, the row
    /// is an error.
    public var willRender: (@Sendable (Context<Model>, inout Row) throws -> Void)?
    /// Where the row leads; nil leads nowhere.
    ///
    /// Unset, a row leads to its own address. An address that could run something (`javascript:`) leads nowhere and is reported as
    /// ``RowFailure/Code/unsafeLink``.
    public var link: (@Sendable (Context<Model>) -> String?)?
    /// Whether the row may be opened; unset, all rows may.
    ///
    /// One that may not has no link, and its own address is refused with 403.
    public var canOpen: (@Sendable (Context<Model>) -> Bool)?
    /// What can be done with the row, in the order to offer it.
    ///
    /// Asked for each row: actions that are alike for all rows are best made once, outside.
    public var actions: (@Sendable (Context<Model>) -> [RowAction])?
    /// Does what an action of ``actions`` names.
    ///
    /// Called when a client asks for it, never while a page is made. When it throws, nothing is to
    /// have changed.
    public var perform: (@Sendable (String, Context<Model>) throws -> ActionOutcome)?
    /// Decides where a row that a client wants to move comes to stand; nil refuses.
    ///
    /// Unset, rows cannot be moved. The place is the one the row is to have after the move.
    public var adjustMove: (@Sendable (Context<Model>, IndexPath) -> IndexPath?)?
    /// The row's place in an outline that the list itself lays out; nil is a row outside of it.
    ///
    /// Where ``children`` is set, the place is known without it.
    public var outline: (@Sendable (Context<Model>) -> RowOutline?)?
    /// The models below the row, in their order; nil, like a run of none, has none below.
    ///
    /// Asked only for a row whose children a client asks for: a page asks for those of the rows
    /// that it shows expanded, once each, and reads no more of them than it shows. Their ids need
    /// differ below one row only. When it throws, the row is an error.
    ///
    /// A list's version is asked for without its children: whoever changes them tells it by
    /// ``Snapshot/reconfigure(_:)`` of the row at the top.
    public var children: (@Sendable (Context<Model>) throws -> Run?)?
    /// Whether there can be rows below the row, asked for each row shown; unset, there can be below
    /// all, where ``children`` is set.
    public var canExpand: (@Sendable (Context<Model>) -> Bool)?
    /// How many columns of a grid the row takes, from 1; nil is 1.
    public var span: (@Sendable (Context<Model>) -> Int?)?

    /// Creates events of which none is set.
    public init() {}

    /// Whether any event shapes the rows of a page.
    var shapesRows: Bool {
        willRender != nil || link != nil || canOpen != nil || actions != nil || outline != nil
            || children != nil || span != nil
    }
}
