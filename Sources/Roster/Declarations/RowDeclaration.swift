public import Listings

/// The rows of a list or a section: their models, columns, actions and edits.
///
/// The methods of ``Rows`` change them:
///
/// ```swift
/// var list = List("books", books) { Column(\.title) }
/// list.rows = list.link { "/covers/\($0.id)" }.rows
/// ```
public struct RowDeclaration<Model: Sendable>: Sendable {
    enum Source: Sendable {
        case models(Models<Model>)
        /// Loads the models for each request.
        case loaded(@Sendable () async throws -> [Model])
        /// Reads a page of models for each request, and the model of a row.
        case paged(
            @Sendable (PageRequest) async throws -> ModelPage<Model>,
            row: (@Sendable (String) async throws -> Model?)?
        )
        /// Replaces the model of an id among models of other types, or removes it.
        case part(@Sendable (String, Model?) throws -> Bool)
    }

    var source: Source
    let columns: [ColumnDeclaration<Model>]
    var kind: String?
    var template: String?
    var actions: [ActionDeclaration<Model>] = []
    var prefetch: (@Sendable ([Model]) async throws -> Void)?
    var link: (@Sendable (Model) -> String?)?
    var canOpen: (@Sendable (Model) -> Bool)?
    var span: (@Sendable (Model) -> Int?)?
    var adjustMove: (@Sendable (Model, IndexPath) -> IndexPath?)?
    var create: (@Sendable (Draft<Model>) async throws -> Model)?
    var update: (@Sendable (Model) async throws -> Void)?
    var delete: (@Sendable (Model) async throws -> Void)?
    var deadline = Duration.seconds(10)
    /// The names of the methods that changed it.
    var modifiers: [String] = []

    init(_ source: Source, _ columns: ColumnSet<Model>) {
        self.source = source
        self.columns = columns.columns
    }

    var isWritten: Bool { create != nil || update != nil || delete != nil }
}

/// A list or a section, whose rows have actions, links and edits.
///
/// ```swift
/// extension Rows where Model == Book {
///     /// Links each book to its page in the catalog.
///     func cataloged() -> Self { link { "https://catalog.example/\($0.id)" } }
/// }
/// ```
public protocol Rows<Model>: Sendable {
    /// The type of the models.
    associatedtype Model: Sendable

    /// The rows.
    var rows: RowDeclaration<Model> { get set }
}

extension Rows {
    private func changed(
        by modifier: String,
        _ change: (inout RowDeclaration<Model>) -> Void
    ) -> Self {
        var copy = self
        change(&copy.rows)
        copy.rows.modifiers.append(modifier)
        return copy
    }

    /// Offers an action on each row.
    ///
    /// ```swift
    /// .action("lend", confirm: "Lend this book?") { book, call in
    ///     .removed(message: "\(book.title) is yours.")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name in URLs: `POST /books/1/-/lend`.
    ///   - title: The displayed name; nil derives it from the name.
    ///   - confirm: The question to confirm before the action.
    ///   - isDestructive: Whether the action cannot be undone.
    ///   - isOffered: Whether a model offers the action to the caller (``Caller/currentName``); all
    ///     models do by default.
    ///   - perform: Performs the action on a model.
    /// - Returns: The rows with the action.
    public func action(
        _ name: String,
        title: String? = nil,
        confirm: String? = nil,
        isDestructive: Bool = false,
        when isOffered: @escaping @Sendable (Model) -> Bool = { _ in true },
        perform: @escaping @Sendable (Model, ActionCall) async throws -> ActionResult<Model>
    ) -> Self {
        let action = RowAction(
            name,
            title: title,
            isDestructive: isDestructive,
            confirm: confirm
        )
        return changed(by: "action") { rows in
            rows.actions.append(
                ActionDeclaration(action: action, isOffered: isOffered) { model, request in
                    try await perform(model, ActionCall(request))
                }
            )
        }
    }

    /// Offers an action that needs an input.
    ///
    /// - Parameters:
    ///   - name: The name in URLs.
    ///   - input: The type of the input; the page shows a form of its properties.
    ///   - title: The displayed name; nil derives it from the name.
    ///   - confirm: The question to confirm before the action.
    ///   - isDestructive: Whether the action cannot be undone.
    ///   - isOffered: Whether a model offers the action to the caller (``Caller/currentName``); all
    ///     models do by default.
    ///   - perform: Performs the action on a model, with an input that is valid.
    /// - Returns: The rows with the action.
    public func action<Input: ActionInput>(
        _ name: String,
        input: Input.Type,
        title: String? = nil,
        confirm: String? = nil,
        isDestructive: Bool = false,
        when isOffered: @escaping @Sendable (Model) -> Bool = { _ in true },
        perform: @escaping @Sendable (Model, Input, ActionCall) async throws -> ActionResult<Model>
    ) -> Self {
        let fields = Result { try InputFields(input) }
        let action = RowAction(
            name,
            title: title,
            isDestructive: isDestructive,
            confirm: confirm,
            input: try? fields.get().rules
        )
        var declaration = ActionDeclaration<Model>(action: action, isOffered: isOffered) {
            model,
            request in
            let value = try fields.get().decode(Input.self, from: request.values)
            return try await perform(model, value, ActionCall(request))
        }
        if case .failure(let error) = fields {
            declaration.error = "the input \(Input.self) of the action '\(name)': \(error)"
        }
        return changed(by: "action") { $0.actions.append(declaration) }
    }

    /// Lets clients create models: `POST /todos`, and a form of the page.
    ///
    /// ``Models`` get the new model, unless the closure has added it to them. Their closures run one
    /// after the other, and a model with the id of a known row is refused with 409.
    ///
    /// - Parameter create: Creates a model from the values of a client, and stores it. It throws
    ///   ``Invalid`` or ``Refusal`` to refuse.
    /// - Returns: The rows.
    public func onCreate(
        _ create: @escaping @Sendable (Draft<Model>) async throws -> Model
    ) -> Self { changed(by: "onCreate") { $0.create = create } }

    /// Lets clients change the editable columns of models: `PATCH /todos/7`, and a form.
    ///
    /// Actions and edits of one row run one after the other. The changed model then replaces that
    /// of the row in ``Models``.
    ///
    /// - Parameter update: Stores a changed model, or throws ``Invalid`` or ``Refusal``.
    /// - Returns: The rows.
    public func onUpdate(_ update: @escaping @Sendable (Model) async throws -> Void) -> Self {
        changed(by: "onUpdate") { $0.update = update }
    }

    /// Lets clients delete models: `DELETE /todos/7`, and a form.
    ///
    /// - Parameter delete: Deletes a model, or throws ``Refusal``.
    /// - Returns: The rows.
    public func onDelete(_ delete: @escaping @Sendable (Model) async throws -> Void) -> Self {
        changed(by: "onDelete") { $0.delete = delete }
    }

    /// The earlier name of ``onCreate(_:)``.
    @available(*, deprecated, renamed: "onCreate")
    public func create(
        _ create: @escaping @Sendable (Draft<Model>) async throws -> Model
    ) -> Self { onCreate(create) }

    /// The earlier name of ``onUpdate(_:)``.
    @available(*, deprecated, renamed: "onUpdate")
    public func update(_ update: @escaping @Sendable (Model) async throws -> Void) -> Self {
        onUpdate(update)
    }

    /// The earlier name of ``onDelete(_:)``.
    @available(*, deprecated, renamed: "onDelete")
    public func delete(_ delete: @escaping @Sendable (Model) async throws -> Void) -> Self {
        onDelete(delete)
    }

    /// Links each row to another URL; nil for no link.
    ///
    /// - Parameter link: Returns the URL.
    /// - Returns: The rows.
    public func link(_ link: @escaping @Sendable (Model) -> String?) -> Self {
        changed(by: "link") { $0.link = link }
    }

    /// Refuses to open some rows.
    ///
    /// - Parameter canOpen: Whether the row of a model can be opened.
    /// - Returns: The rows.
    public func openable(when canOpen: @escaping @Sendable (Model) -> Bool) -> Self {
        changed(by: "openable") { $0.canOpen = canOpen }
    }

    /// Fetches the data of all rows of a page together, before the page is written.
    ///
    /// The task is cancelled when the client leaves.
    ///
    /// - Parameter prefetch: Fetches the data of models.
    /// - Returns: The rows.
    public func prefetch(_ prefetch: @escaping @Sendable ([Model]) async throws -> Void) -> Self {
        changed(by: "prefetch") { $0.prefetch = prefetch }
    }

    /// Sets the number of columns that each row spans in a grid.
    ///
    /// - Parameter span: Returns the number for a model; nil is 1.
    /// - Returns: The rows.
    public func span(_ span: @escaping @Sendable (Model) -> Int?) -> Self {
        changed(by: "span") { $0.span = span }
    }

    /// Lets clients move rows within their section, and to movable sections of the same type.
    ///
    /// - Parameter adjust: Returns the position for a model and the requested position, both
    ///   counted without the model; nil refuses. All moves are allowed by default.
    /// - Returns: The rows.
    public func movable(
        _ adjust: @escaping @Sendable (Model, IndexPath) -> IndexPath? = { $1 }
    ) -> Self { changed(by: "movable") { $0.adjustMove = adjust } }

    /// Names the kind of the rows, for templates; otherwise `Book` has the kind `book.row`.
    ///
    /// - Parameter kind: The kind.
    /// - Returns: The rows.
    public func kind(_ kind: String) -> Self { changed(by: "kind") { $0.kind = kind } }

    /// Sets the HTML of the rows on pages, in place of their cells; see ``Column/template(_:)``.
    ///
    /// - Parameter template: The HTML, in which `{{title}}` is the value of a column.
    /// - Returns: The rows.
    public func template(_ template: String) -> Self {
        changed(by: "template") { $0.template = template }
    }

    /// Sets the longest time that a closure may take; 10 seconds by default.
    ///
    /// The task is cancelled then, and the request fails with 503.
    ///
    /// - Parameter deadline: The longest time.
    /// - Returns: The rows.
    public func deadline(_ deadline: Duration) -> Self {
        changed(by: "deadline") { $0.deadline = deadline }
    }
}
