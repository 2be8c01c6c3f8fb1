import Listings

/// The fields of an input type, which a trial decoding finds.
struct InputFields: Sendable {
    let rules: RowRules
    fileprivate let codecs: [String: ValueCodec]

    /// Finds the fields of a type.
    ///
    /// Fails with the error of the decoding, or ``InputError``.
    init(_ type: any ActionInput.Type) throws {
        let trial = InputDecoder(.trial)
        _ = try type.init(from: trial)
        rules = RowRules(input: trial.fields.columns, required: trial.fields.required)
        codecs = trial.fields.codecs
    }

    /// Fails with all invalid values.
    func decode<Input: ActionInput>(
        _ type: Input.Type,
        from values: [String: CellValue]
    ) throws -> Input {
        var errors: [FieldValidationError] = []
        for (position, column) in rules.columns.enumerated() {
            guard let value = values[column.id], !value.isNull, let codec = codecs[column.id],
                codec.value(value) == nil
            else { continue }
            errors.append(FieldValidationError(column: position, codec.refusal))
        }
        guard errors.isEmpty else { throw ActionError.invalid(errors) }
        do {
            return try Input(from: InputDecoder(.values(values)))
        } catch let error as DecodingError {
            guard case .dataCorrupted(let context) = error,
                let name = context.codingPath.last?.stringValue,
                let position = rules.columns.firstIndex(where: { $0.id == name })
            else { throw error }
            let error = FieldValidationError(
                column: position,
                .refused(context.debugDescription)
            )
            throw ActionError.invalid([error])
        }
    }
}

extension ValueCodec {
    /// The reason to refuse a value of the right kind that the type does not have.
    var refusal: FieldValidationError.Reason {
        choices.isEmpty
            ? .wrongType(type) : .refused("One of \(choices.joined(separator: ", ")) is allowed.")
    }
}

/// An input type that cannot be a form.
struct InputError: Error, CustomStringConvertible {
    let description: String
}

private final class InputDecoder: Decoder {
    enum Mode {
        case trial
        case values([String: CellValue])
    }

    struct Fields {
        var columns: [Listings.Column] = []
        var required: Set<Int> = []
        var codecs: [String: ValueCodec] = [:]
    }

    let mode: Mode
    var fields = Fields()
    /// The names of values that may be missing.
    var optional: Set<String> = []
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ mode: Mode) { self.mode = mode }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(InputContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw InputError(description: "an input has named properties")
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw InputError(description: "an input has named properties")
    }
}

private struct InputContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: InputDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        switch decoder.mode {
        case .trial: []
        case .values(let values): values.keys.compactMap(Key.init(stringValue:))
        }
    }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) throws -> Bool {
        switch decoder.mode {
        case .trial:
            // An optional is looked for before it is decoded.
            decoder.optional.insert(key.stringValue)
            return false
        case .values(let values): return values[key.stringValue]?.isNull ?? true
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try value(type, key, isRequired: true)
    }

    func decodeIfPresent<Value: Decodable>(
        _ type: Value.Type,
        forKey key: Key
    ) throws -> Value? {
        if case .values = decoder.mode, try decodeNil(forKey: key) { return nil }
        return try value(type, key, isRequired: false)
    }

    private func value<Value: Decodable>(
        _ type: Value.Type,
        _ key: Key,
        isRequired: Bool
    ) throws -> Value {
        let name = key.stringValue
        guard let codec = ValueCodec.of(type), codec.type != .json else {
            throw InputError(description: "'\(name)' of type \(type) is no field of a form")
        }
        switch decoder.mode {
        case .trial:
            if decoder.fields.codecs[name] == nil {
                if isRequired, !codec.isOptional, !decoder.optional.contains(name) {
                    decoder.fields.required.insert(decoder.fields.columns.count)
                }
                decoder.fields.columns.append(Listings.Column(name, type: codec.type))
                decoder.fields.codecs[name] = codec
            }
            if let sample = codec.sample as? Value { return sample }
        case .values(let values):
            if let value = codec.value(values[name] ?? .null) as? Value { return value }
        }
        throw InputError(description: "'\(name)' has no value")
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw InputError(description: "'\(key.stringValue)' is no field of a form")
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw InputError(description: "'\(key.stringValue)' is no field of a form")
    }

    func superDecoder() throws -> any Decoder { decoder }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder }
}
