import FoundationEssentials
public import RemoteLists

extension RemoteFormat where Model: Codable & Equatable {
    /// The spelling of member names.
    public enum Keys: Hashable, Sendable {
        /// The same names as the properties of the model.
        case asDeclared
        /// Snake case, such as `first_name` for `firstName`.
        case snakeCase
    }

    /// The JSON format by the model's own coding, with days and times in ISO 8601.
    public static var json: RemoteFormat { json(keys: .asDeclared) }

    /// Returns the JSON format by the model's own coding, with days and times in ISO 8601.
    ///
    /// - Parameter keys: The spelling of member names.
    /// - Returns: The format.
    public static func json(keys: Keys) -> RemoteFormat {
        RemoteFormat(
            decode: { rows in try Self.models(rows, snakeCase: keys == .snakeCase) },
            encode: { models in
                let encoder = JSONEncoder()
                encoder.dateEncodingStrategy = .iso8601
                if keys == .snakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
                return Array(try encoder.encode(models))
            }
        )
    }
}

extension RemoteFormat where Model: Decodable {
    /// Rows that are only read: every refresh counts as a change.
    package static var decoded: RemoteFormat {
        RemoteFormat(
            decodeRows: { try models($0) },
            encode: { _ in [] },
            areEqual: { _, _ in false }
        )
    }

    fileprivate static func models(_ rows: [UInt8], snakeCase: Bool = false) throws -> [Model] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        if snakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        do {
            return try decoder.decode([Model].self, from: Data(rows))
        } catch let error as DecodingError {
            throw RemoteModelError(error)
        }
    }
}

extension RemoteModelError {
    /// Converts a decoding error to its position and reason.
    fileprivate init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(context.codingPath + [key], "is missing")
        case .valueNotFound(let type, let context):
            self.init(context.codingPath, "is null and not \(type)")
        case .typeMismatch(let type, let context):
            self.init(context.codingPath, "is not \(type)")
        case .dataCorrupted(let context):
            self.init(context.codingPath, context.debugDescription)
        @unknown default: self.init([], "\(error)")
        }
    }

    private init(_ path: [any CodingKey], _ text: String) {
        let row = path.first?.intValue
        var names = ""
        for key in row == nil ? path[...] : path.dropFirst() {
            if let index = key.intValue {
                names += "[\(index)]"
            } else {
                names += (names.isEmpty ? "" : ".") + key.stringValue
            }
        }
        self.init(row: row.map { $0 + 1 }, path: names, text: text)
    }
}
