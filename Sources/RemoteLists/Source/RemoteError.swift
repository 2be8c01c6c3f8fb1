package import TableFiles

/// An error that prevented fetching a list.
public enum RemoteError: Error, Hashable, Sendable {
    /// The text is not an absolute `http` or `https` address.
    case invalidAddress(String)
    /// A field with this name cannot be sent.
    case invalidField(String)
    /// The server sent no response.
    case transport(TransportFailure)
    /// The server responded with an error status.
    ///
    /// The body is cut to 2 KiB and read as UTF-8.
    case status(Int, body: String)
    /// The responses exceed a size limit.
    case tooLarge(maximumBytes: Int)
    /// The request was redirected too many times.
    case tooManyRedirects(maximum: Int)
    /// A redirect or a next-page link leads to an address that the configuration does not allow.
    case refusedAddress(String)
    /// The list has more pages than allowed.
    case tooManyPages(maximum: Int)
    /// Reading all pages takes longer than allowed.
    case tooSlow(maximum: Duration)
    /// A page was repeated, so that following the links would never end.
    case repeatedPage(String)
    /// The media type of the response is not a supported list format.
    case unsupportedFormat(String)
    /// The response violates its format, or lacks data that the models need.
    case decoding(RemoteDecodingError)
    /// Two rows have the same id.
    case repeatedID(String, first: RemoteLocation, second: RemoteLocation)
    /// The type of a column has changed since the list was opened.
    case columnChanged(String, from: String, to: String)
}

/// A reason for which no response arrived.
public enum TransportFailure: Hashable, Sendable {
    /// The request took longer than the timeout.
    case timedOut
    /// The host name could not be resolved.
    case unknownHost
    /// The host does not accept connections.
    case unreachable
    /// The connection broke before the response was complete.
    case connectionLost
    /// The response is not HTTP, or its body does not match its content coding.
    case malformedResponse
    /// TLS could not be set up: the certificate is not trusted, or the server uses another version.
    case insecure
    /// The fetching program does not exist at this path.
    case programMissing(String)
    /// The fetching program could not be started, with this `errno` code.
    case programNotStarted(String, code: Int32)
    /// libcurl is missing or unusable.
    case libraryMissing
    /// The fetching program ended or sent an invalid message.
    case programFailed
    /// Any other reason: a number of `NSURLErrorDomain`, or the negated number of libcurl.
    case other(Int)
}

/// The position of a row in a paged list.
///
/// Both numbers count from 1.
public struct RemoteLocation: Hashable, Sendable {
    /// The page number.
    public let page: Int
    /// The row number in the page.
    public let row: Int

    /// Creates a position.
    public init(page: Int, row: Int) {
        self.page = page
        self.row = row
    }
}

/// An error in the contents of a response.
public struct RemoteDecodingError: Error, Hashable, Sendable {
    /// The page number, from 1.
    public let page: Int
    /// The row number in the page, from 1, or nil if the error is outside the rows.
    public let row: Int?
    /// The path from the row to the value, for example `address.city`, or empty for the row.
    public let path: String
    package let reason: Reason

    package enum Reason: Hashable, Sendable {
        /// The response violates its format. The place is nil if the rows were extracted from a
        /// larger document.
        case file(FileError.Reason, at: FileLocation?)
        /// The response is an object without a list of rows. The texts are its members.
        case noRows([String])
        /// The response links to a next page, which is supported for JSON only.
        case pagedFormat(FileFormat)
        /// The upstream reports that it could not show this row.
        case failedRow
        /// The decoder could not create the model. The text is its message.
        case model(String)
    }

    package init(page: Int, row: Int? = nil, path: String = "", _ reason: Reason) {
        self.page = page
        self.row = row
        self.path = path
        self.reason = reason
    }

    /// `isLocationKnown` says that the reader read the document as received.
    package init(page: Int, row: Int? = nil, _ error: FileError, isLocationKnown: Bool = true) {
        let location = isLocationKnown ? error.location : nil
        self.init(page: page, row: row, .file(error.reason, at: location))
    }
}
