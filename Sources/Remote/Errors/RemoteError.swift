package import Database

/// Why a list could not be fetched.
public enum RemoteError: Error, Hashable, Sendable {
    /// Not an absolute `http` or `https` address.
    case invalidAddress(String)
    /// A field that cannot be sent, by its name.
    case invalidField(String)
    /// No answer came.
    case transport(TransportFailure)
    /// The server refused, or could not.
    ///
    /// The body is cut to 2 KiB and read as UTF-8.
    case status(Int, body: String)
    /// The answers are past a limit.
    case tooLarge(maximumBytes: Int)
    /// Redirects without end.
    case tooManyRedirects(maximum: Int)
    /// A redirect or a link to a further page leads where the configuration does not allow.
    case refusedAddress(String)
    /// Pages without end.
    case tooManyPages(maximum: Int)
    /// Pages that come so slowly that the whole list takes too long.
    case tooSlow(maximum: Duration)
    /// A page that was read before comes again, so that following it would never end.
    case repeatedPage(String)
    /// The answer is of a media type that is no list.
    case unsupportedFormat(String)
    /// The answer is not what its format asks for, or not what the models need.
    case decoding(RemoteDecodingError)
    /// Two rows have one id.
    case repeatedID(String, first: RemotePlace, second: RemotePlace)
    /// A column is no longer what it was when the list was opened.
    case columnChanged(String, from: String, to: String)
}

/// Why no answer came.
public enum TransportFailure: Hashable, Sendable {
    /// It took longer than the timeout.
    case timedOut
    /// Nobody knows the address of the host.
    case unknownHost
    /// The host does not take connections.
    case unreachable
    /// The connection broke before the answer was complete.
    case connectionLost
    /// What came is not HTTP, or not coded as it says.
    case malformedAnswer
    /// TLS could not be set up: the certificate is not trusted, or the server speaks another
    /// version.
    case insecure
    /// The program that fetches is not at this path.
    case programMissing(String)
    /// The program that fetches cannot be started, for a reason of `errno`.
    case programNotStarted(String, code: Int32)
    /// libcurl is not there, or cannot be used.
    case libraryMissing
    /// The program that fetches ended, or sent what is not understood.
    case programFailed
    /// Any other reason, by its number: in `NSURLErrorDomain`, or with a minus that of libcurl.
    case other(Int)
}

/// The place of a row in a list that comes in pages; both count from 1.
public struct RemotePlace: Hashable, Sendable {
    /// The page.
    public let page: Int
    /// The row of the page.
    public let row: Int

    /// Creates a place.
    public init(page: Int, row: Int) {
        self.page = page
        self.row = row
    }
}

/// Where an answer is not what it should be.
public struct RemoteDecodingError: Error, Hashable, Sendable {
    /// The page, from 1.
    public let page: Int
    /// The row of the page, from 1; nil where the fault lies outside of the rows.
    public let row: Int?
    /// The way to the value from its row, for example `address.city`; empty for the row itself.
    public let path: String
    /// What is wrong.
    package let reason: Reason

    /// What can be wrong with an answer.
    package enum Reason: Hashable, Sendable {
        /// It is not what the format asks for; the place is nil where the rows were taken out of a
        /// larger document.
        case file(FileError.Reason, at: FilePlace?)
        /// It is an object without a list of rows; these are its members.
        case noRows([String])
        /// It links to a further page, which only JSON can.
        case pagedFormat(FileFormat)
        /// The upstream says that it could not show this row.
        case failedRow
        /// The model could not be made of the row, in the words of its decoder.
        case model(String)
    }

    /// Creates an error.
    package init(page: Int, row: Int? = nil, path: String = "", _ reason: Reason) {
        self.page = page
        self.row = row
        self.path = path
        self.reason = reason
    }

    /// Creates an error from what a reader of files has found.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - row: The row of the page.
    ///   - error: What was found.
    ///   - isPlaceKnown: Whether the reader read the document as it came.
    package init(page: Int, row: Int? = nil, _ error: FileError, isPlaceKnown: Bool = true) {
        let place = isPlaceKnown ? error.place : nil
        self.init(page: page, row: row, .file(error.reason, at: place))
    }
}
