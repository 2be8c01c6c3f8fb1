import FoundationEssentials
import Listings

/// A model with the id of its row in URLs.
struct ListedModel<Model: Sendable>: Identifiable, Sendable {
    let id: String
    let model: Model
}

/// The ids of rows, made of the ids of models.
enum RowID {
    /// A text or number that is a row itself is its own id.
    ///
    /// Equal ones are numbered: `a`, `a (2)`.
    ///
    /// The ids are in the order of the models. The prefix stands in front of each id.
    /// Fails for models without an id that can stand in a URL.
    static func all<Model>(
        of models: [Model],
        prefix: String?
    ) throws(DeclarationError) -> [String] {
        let front = prefix.map { $0 + "-" } ?? ""
        guard Model.self is any Identifiable.Type else {
            var seen: Set<String> = []
            return try models.map { (model) throws(DeclarationError) in
                guard let model = model as? any LosslessStringConvertible else {
                    throw DeclarationError(
                        "the models \(Model.self) have no ids; make \(Model.self) Identifiable"
                    )
                }
                let text = model.description.isEmpty ? "(empty)" : model.description
                var (id, number) = (text, 1)
                while !seen.insert(id).inserted {
                    number += 1
                    id = "\(text) (\(number))"
                }
                return front + id
            }
        }
        return try models.map { (model) throws(DeclarationError) in
            guard let model = model as? any Identifiable, let id = text(of: model) else {
                throw DeclarationError(
                    "the ids of \(Model.self) cannot stand in URLs; make their type "
                        + "LosslessStringConvertible, or a UUID"
                )
            }
            return front + id
        }
    }

    /// Returns `oldBook` for the models `OldBook`.
    static func prefix(of model: Any.Type) -> String {
        let name = "\(model)"
        return name.prefix(1).lowercased() + name.dropFirst()
    }

    private static func text(of model: some Identifiable) -> String? {
        switch model.id {
        case let id as UUID: id.uuidString
        case let id as any LosslessStringConvertible: id.description
        default: nil
        }
    }

    static func isInteger(_ model: Any.Type) -> Bool {
        guard let type = model as? any Identifiable.Type else {
            return false
        }
        return hasIntegerID(type)
    }

    private static func hasIntegerID<Model: Identifiable>(_ type: Model.Type) -> Bool {
        Model.ID.self is any BinaryInteger.Type
    }
}
