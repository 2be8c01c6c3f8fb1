/// The optional events of a list's rows.
///
/// The counterpart of an adapter's events. An event that is not set is absent from the output. It
/// has no default value. The closures run on the thread that reads the page, at most once per row
/// unless documented otherwise.
public struct RowEvents<Model: Sendable>: Sendable {
    /// Receives all rows of a page before any of them is written, so that it can fetch their data
    /// together.
    ///
    /// Called once for each page with rows of the registration, with all of them in order. If it
    /// throws, each of these rows is an error.
    public var prefetch: (@Sendable ([Context<Model>]) throws -> Void)?
    /// Changes a row that is otherwise ready.
    ///
    /// It costs a copy of the row's cells. If it throws or changes the number of cells, the row is
    /// an error.
    public var willRender: (@Sendable (Context<Model>, inout Row) throws -> Void)?
    /// Returns the link of the row; nil for no link.
    ///
    /// If it is not set, a row links to its own URL. A URL that could run code (`javascript:`) is
    /// dropped and reported as ``RowFailure/Code/unsafeLink``.
    public var link: (@Sendable (Context<Model>) -> String?)?
    /// Whether the row can be opened; if it is not set, all rows can.
    ///
    /// Otherwise the row has no link, and its own URL is refused with 403.
    public var canOpen: (@Sendable (Context<Model>) -> Bool)?
    /// Returns the actions of the row, in display order.
    ///
    /// Called for each row. Create actions that all rows share once, outside the closure.
    public var actions: (@Sendable (Context<Model>) -> [RowAction])?
    /// Performs an action of ``actions``, given its name.
    ///
    /// Called on the request of a client, never while a page is rendered. If it throws, nothing may
    /// have changed.
    public var perform: (@Sendable (String, Context<Model>) throws -> ActionOutcome)?
    /// Returns the new position of a row that a client wants to move; nil refuses.
    ///
    /// If it is not set, rows cannot be moved. The position is the row's after the move.
    public var adjustMove: (@Sendable (Context<Model>, IndexPath) -> IndexPath?)?
    /// Returns the row's place in an outline that the list lays out; nil for a row outside of it.
    ///
    /// Not needed if ``children`` is set.
    public var outline: (@Sendable (Context<Model>) -> RowOutline?)?
    /// Returns the models below the row, in their order; nil or an empty run if there are none.
    ///
    /// Called only for rows whose children a client requests. A page calls it once for each
    /// expanded row, and reads only the models that it shows. Ids must be unique below one row
    /// only. If it throws, the row is an error.
    ///
    /// The version of a list does not cover children. After changing them, call
    /// `Snapshot.reconfigure(_:)` with the row at the top.
    public var children: (@Sendable (Context<Model>) throws -> Run?)?
    /// Whether the row can have rows below it, called for each shown row.
    ///
    /// If it is not set and ``children`` is, all rows can.
    public var canExpand: (@Sendable (Context<Model>) -> Bool)?
    /// Returns the number of grid columns that the row spans, from 1; nil is 1.
    public var span: (@Sendable (Context<Model>) -> Int?)?

    /// Creates an instance without events.
    public init() {}

    var shapesRows: Bool {
        willRender != nil || link != nil || canOpen != nil || actions != nil || outline != nil
            || children != nil || span != nil
    }
}
