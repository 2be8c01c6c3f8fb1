import TableFiles

/// A conversion between the rows of a response and models.
public struct RemoteFormat<Model: Sendable>: Sendable {
    package let decode: @Sendable ([RemotePage]) throws(RemoteError) -> [Model]
    let encode: @Sendable ([Model]) throws(RemoteError) -> [UInt8]
    let areEqual: @Sendable ([Model], [Model]) -> Bool

    /// A format for whole lists.
    ///
    /// `decode` receives all pages. `encode` writes a JSON array, for stubs.
    package init(
        decode: @escaping @Sendable ([RemotePage]) throws(RemoteError) -> [Model],
        encode: @escaping @Sendable ([Model]) throws(RemoteError) -> [UInt8],
        areEqual: @escaping @Sendable ([Model], [Model]) -> Bool
    ) {
        self.decode = decode
        self.encode = encode
        self.areEqual = areEqual
    }

    /// Creates a format from functions on one JSON array of objects.
    ///
    /// - Parameters:
    ///   - decode: Creates models from a page's rows, given as the UTF-8 of a JSON array. Rows
    ///     inside a larger object are extracted first.
    ///   - encode: Writes models the same way, for stubs.
    public init(
        decode: @escaping @Sendable (_ rows: [UInt8]) throws -> [Model],
        encode: @escaping @Sendable (_ models: [Model]) throws -> [UInt8]
    ) where Model: Equatable {
        self.init(decodeRows: decode, encode: encode) { $0 == $1 }
    }

    package init(
        decodeRows decode: @escaping @Sendable (_ rows: [UInt8]) throws -> [Model],
        encode: @escaping @Sendable (_ models: [Model]) throws -> [UInt8],
        areEqual: @escaping @Sendable ([Model], [Model]) -> Bool
    ) {
        self.init(
            decode: { pages throws(RemoteError) in
                var models: [Model] = []
                for page in pages {
                    guard page.format == .json else {
                        throw .unsupportedFormat(page.format.rawValue)
                    }
                    do {
                        models += try decode(page.rows)
                    } catch {
                        throw RemoteError(error, page: page.number)
                    }
                }
                return models
            },
            encode: { models throws(RemoteError) in
                do { return try encode(models) } catch { throw RemoteError(error, page: 1) }
            },
            areEqual: areEqual
        )
    }
}

extension RemoteError {
    fileprivate init(_ error: any Error, page: Int) {
        switch error {
        case let error as RemoteError: self = error
        case let error as RemoteModelError:
            self = .decoding(
                RemoteDecodingError(
                    page: page,
                    row: error.row,
                    path: error.path,
                    .model(error.text)
                )
            )
        default: self = .decoding(RemoteDecodingError(page: page, .model("\(error)")))
        }
    }
}

/// An error of a model decoder, with its position.
public struct RemoteModelError: Error, Hashable, Sendable {
    /// The row number in the page, from 1, or nil if the error is outside the rows.
    public let row: Int?
    /// The path from the row to the value, for example `address.city`.
    public let path: String
    /// The decoder's message.
    public let text: String

    /// Creates an error.
    public init(row: Int?, path: String, text: String) {
        self.row = row
        self.path = path
        self.text = text
    }
}
