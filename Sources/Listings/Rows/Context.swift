/// A model and where it stands.
///
/// Made for the time of a call: whoever keeps one keeps all models of its list.
public struct Context<Model: Sendable>: Sendable {
    /// The model.
    @inlinable public var model: Model {
        _read { yield models[position] }
    }
    /// The section the row is in.
    public var section: SectionInfo { place.info }
    /// Which of the model's rows it is, where a model has several (``ExpandingController``); else 0.
    public let part: Int

    // The model stays where it is, among those it was read with, which are kept as long as the
    // context: a copy of it would count references for each of its texts.
    @usableFromInline let models: [Model]
    // One context is moved over the models of a run: another one for each would count references.
    @usableFromInline var position: Int
    @usableFromInline let place: SectionPlace

    /// Creates a context.
    @inlinable
    public init(model: Model, section: SectionInfo, part: Int = 0) {
        self.init([model], at: 0, in: SectionPlace(section), part: part)
    }

    /// Creates the context of one of several models.
    @inlinable
    init(_ models: [Model], at position: Int, in place: SectionPlace, part: Int = 0) {
        self.models = models
        self.position = position
        self.part = part
        self.place = place
    }
}
