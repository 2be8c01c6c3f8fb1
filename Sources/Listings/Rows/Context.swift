/// A model and its position in the list.
///
/// It is valid for the time of a call. A stored context retains all models of its list.
public struct Context<Model: Sendable>: Sendable {
    /// The model.
    @inlinable public var model: Model {
        _read { yield models[position] }
    }
    /// The section of the row.
    public var section: SectionInfo { location.info }
    /// The index of the row among those of its model (``ExpandingController``); 0 if there is one.
    public let part: Int
    /// The request for the action; nil while a page is rendered.
    public let request: ActionRequest?

    // The model is not copied, because a copy would count a reference for each of its texts. The
    // context retains the array instead.
    @usableFromInline let models: [Model]
    // One context is moved over the models of a run, because new ones would count references.
    @usableFromInline var position: Int
    @usableFromInline let location: SectionLocation

    /// Creates a context.
    @inlinable
    public init(
        model: Model,
        section: SectionInfo,
        part: Int = 0,
        request: ActionRequest? = nil
    ) {
        self.init([model], at: 0, in: SectionLocation(section), part: part, request: request)
    }

    @inlinable
    package init(
        _ models: [Model],
        at position: Int,
        in location: SectionLocation,
        part: Int = 0,
        request: ActionRequest? = nil
    ) {
        self.models = models
        self.position = position
        self.part = part
        self.location = location
        self.request = request
    }
}
