import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import Testing

extension Client {
    convenience init(
        writing way: Way = .inMemory,
        requiresCondition: Bool = false,
        crossOrigin: CrossOrigin? = nil,
        options: ServiceOptions = ServiceOptions(),
        isDraining: @escaping @Sendable () -> Bool = { false }
    ) throws {
        var configuration = Configuration()
        configuration.allowsAnonymousWrites = true
        var options = options
        options.writing = .everybody(requiresCondition: requiresCondition)
        options.crossOrigin = crossOrigin
        try self.init(
            try ListRegistry(configuration).lists,
            way,
            options: options,
            isDraining: isDraining
        )
    }

    func send(
        _ method: HTTPMethod,
        _ target: String,
        _ json: String,
        fields: [(FieldName, String)] = []
    ) throws -> Answer {
        let hasType = fields.contains { $0.0 == .contentType }
        let type: [(FieldName, String)] = hasType ? [] : [(.contentType, "application/json")]
        return try ask(method, target, fields: type + fields, body: json)
    }

    func cells(_ target: String) throws -> JSON? { try get(target).json()["row", "cells"] }

    func tag(_ target: String) throws -> String { try #require(try get(target).field("ETag")) }
}

extension Answer {
    /// The faults of a problem, as `location code`.
    func faults() throws -> [String] {
        (try json()["errors"]?.elements ?? []).map { fault in
            let location = fault["pointer"] ?? fault["parameter"] ?? fault["header"]
            return "\(location?.text ?? "-") \(fault["code"]?.text ?? "-")"
        }
    }
}
