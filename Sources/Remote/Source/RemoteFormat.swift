import Database

/// How the rows of an answer become models.
public struct RemoteFormat<Model: Sendable>: Sendable {
    /// Makes the models of all pages.
    package let decode: @Sendable ([RemotePage]) throws(RemoteError) -> [Model]
    let encode: @Sendable ([Model]) throws(RemoteError) -> [UInt8]
    let areEqual: @Sendable ([Model], [Model]) -> Bool

    /// Creates a format for whole lists.
    ///
    /// - Parameters:
    ///   - decode: Makes the models of all pages.
    ///   - encode: Writes models as a JSON array, for stubs.
    ///   - areEqual: Whether two states of the list show the same.
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
    ///   - decode: Makes models of a page's rows, given as the UTF-8 of a JSON array; rows that came
    ///     inside of a larger object have been taken out of it.
    ///   - encode: Writes models the same way, for stubs.
    public init(
        decode: @escaping @Sendable (_ rows: [UInt8]) throws -> [Model],
        encode: @escaping @Sendable (_ models: [Model]) throws -> [UInt8]
    ) where Model: Equatable {
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
            areEqual: { $0 == $1 }
        )
    }
}

extension RemoteError {
    /// What a format of somebody's own has thrown.
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

/// What a decoder of models has found, and where.
public struct RemoteModelError: Error, Hashable, Sendable {
    /// The row of the page, from 1; nil where the fault lies outside of the rows.
    public let row: Int?
    /// The way to the value from its row, for example `address.city`.
    public let path: String
    /// What is wrong, in the decoder's words.
    public let text: String

    /// Creates an error.
    public init(row: Int?, path: String, text: String) {
        self.row = row
        self.path = path
        self.text = text
    }
}
