/// The row controllers of a service, one per model type.
public struct ControllerRegistry: Sendable {
    private var registrations: [ObjectIdentifier: any Sendable] = [:]

    /// Creates an empty registry.
    public init() {}

    /// Registers a controller for its model type.
    ///
    /// - Parameter controller: Shows the models.
    /// - Returns: The proof that models of the type can be shown.
    /// - Throws: ``ListingError/alreadyRegistered(model:)`` when the type has a controller.
    @discardableResult
    public mutating func register<C: RowController>(
        _ controller: C
    ) throws(ListingError) -> Registration<C.Model> {
        let key = ObjectIdentifier(C.Model.self)
        guard registrations[key] == nil else {
            throw .alreadyRegistered(model: "\(C.Model.self)")
        }
        let registration = Registration(controller)
        registrations[key] = registration
        return registration
    }

    /// The registration of a model type.
    ///
    /// - Throws: ``ListingError/unregisteredModel(_:)`` when the type has no controller.
    public func registration<Model>(
        for type: Model.Type
    ) throws(ListingError) -> Registration<Model> {
        guard let found = registrations[ObjectIdentifier(type)] as? Registration<Model> else {
            throw .unregisteredModel("\(type)")
        }
        return found
    }
}
