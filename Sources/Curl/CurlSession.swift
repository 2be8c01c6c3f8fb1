import CCurl
package import Remote

/// Asks servers through libcurl, one request at a time; connections are kept for the next one.
///
/// No redirect is followed, no cookie kept, no status judged. Proxies are those of the environment
/// (`https_proxy` and its kin), trusted certificates those of the system.
@safe
package struct CurlSession: ~Copyable {
    /// Whether libcurl is there; looked for once, as its set-up is nothing for two threads.
    private static let isLoaded = ccurl_load() != 0

    private let session: UnsafeMutableRawPointer

    /// Sets up a session; nil when libcurl is not there, or there is no memory for it.
    package init?() {
        // SAFETY: the session made here is owned by this value alone.
        guard Self.isLoaded, let session = unsafe ccurl_make() else { return nil }
        unsafe self.session = session
    }

    deinit {
        // SAFETY: owned by this value alone.
        unsafe ccurl_free(session)
    }

    /// Asks a server, and waits for its answer.
    package func answer(to request: RemoteRequest) -> Result<RemoteResponse, RemoteError> {
        let answer = CurlAnswer(maximumBytes: request.maximumBytes)
        // SAFETY: everything set refers to this request; connections stay.
        unsafe ccurl_reset(session)
        setUp(request)
        setCallbacks(answer)
        let fields = CurlFields(request)
        let code = withExtendedLifetime(answer) {
            // SAFETY: the answer, which the callbacks write to, outlives the call.
            unsafe fields.perform(with: session)
        }
        if let maximum = answer.exceeded { return .failure(.tooLarge(maximumBytes: maximum)) }
        switch code {
        case CCURL_OK:
            // SAFETY: the session is this value's, and has an answer.
            let status = unsafe ccurl_status(session)
            return .success(
                RemoteResponse(status: status, fields: answer.fields, body: answer.body)
            )
        case CCURL_FILESIZE_EXCEEDED:
            return .failure(.tooLarge(maximumBytes: request.maximumBytes))
        default: return .failure(.transport(TransportFailure(code)))
        }
    }

    private func setUp(_ request: RemoteRequest) {
        set(CCURL_NOSIGNAL, 1)
        set(CCURL_SUPPRESS_CONNECT_HEADERS, 1)
        // 0 would mean no timeout.
        set(CCURL_TIMEOUT_MS, max(1, Int(request.timeout / .milliseconds(1))))
        set(CCURL_URL, "\(request.address)")
        // Empty stands for every coding that libcurl can undo.
        set(CCURL_ACCEPT_ENCODING, "")
        set(CCURL_USERAGENT, "roster")
        // SAFETY: numbers are copied.
        unsafe ccurl_set_size(session, CCURL_MAXFILESIZE_LARGE, Int64(request.maximumBytes))
        if !request.body.isEmpty || request.method == .post {
            // SAFETY: the length is set first, and so many bytes are copied during the call.
            unsafe ccurl_set_size(
                session,
                CCURL_POSTFIELDSIZE_LARGE,
                Int64(request.body.count)
            )
            unsafe ccurl_set_pointer(session, CCURL_COPYPOSTFIELDS, request.body + [0])
        }
        if request.method != .get { set(CCURL_CUSTOMREQUEST, request.method.name) }
    }

    private func set(_ option: Int, _ number: Int) {
        // SAFETY: numbers are copied.
        unsafe ccurl_set_number(session, option, number)
    }

    private func set(_ option: Int, _ text: String) {
        // SAFETY: libcurl copies texts during the call.
        unsafe ccurl_set_pointer(session, option, text)
    }

    private func setCallbacks(_ answer: CurlAnswer) {
        // SAFETY: both functions are handed the answer set here, which outlives the transfer.
        let target = unsafe Unmanaged.passUnretained(answer).toOpaque()
        unsafe ccurl_set_pointer(session, CCURL_HEADERDATA, target)
        unsafe ccurl_set_pointer(session, CCURL_WRITEDATA, target)
        unsafe ccurl_set_callback(session, CCURL_HEADERFUNCTION) { bytes, _, count, target in
            // SAFETY: libcurl hands over `count` bytes for the time of the call.
            let line = unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
            let answer = unsafe target.map {
                unsafe Unmanaged<CurlAnswer>.fromOpaque($0).takeUnretainedValue()
            }
            return answer?.take(line: line) == true ? count : 0
        }
        unsafe ccurl_set_callback(session, CCURL_WRITEFUNCTION) { bytes, _, count, target in
            // SAFETY: libcurl hands over `count` bytes for the time of the call.
            let content = unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
            let answer = unsafe target.map {
                unsafe Unmanaged<CurlAnswer>.fromOpaque($0).takeUnretainedValue()
            }
            // What is not taken whole ends the transfer; nothing at all is taken as it is.
            return answer?.take(content: content) == true ? count : count + 1
        }
    }
}

/// The fields of a request in the form that libcurl takes.
@safe
private struct CurlFields: ~Copyable {
    private let list: UnsafeMutableRawPointer?

    /// Writes the fields, and takes back those that libcurl would add by itself.
    init(_ request: RemoteRequest) {
        var lines = request.fields.map { field in
            // A field without a value ends with a semicolon, as a colon would take the field back.
            field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
        }
        for name in ["Accept", "Content-Type", "Expect"]
        where !request.fields.contains(where: { $0.name.lowercased() == name.lowercased() }) {
            lines.append("\(name):")
        }
        // SAFETY: the list is owned by this value; libcurl copies each text during the call.
        unsafe list = lines.reduce(nil) { list, line in
            unsafe ccurl_append(list, line) ?? list
        }
    }

    deinit {
        // SAFETY: owned by this value alone, which outlives the transfer.
        unsafe ccurl_free_list(list)
    }

    /// Asks with the fields, whatever else is set already.
    func perform(with session: UnsafeMutableRawPointer) -> Int {
        // SAFETY: the list is lent for the transfer, and this value for the call.
        unsafe ccurl_set_pointer(session, CCURL_HTTPHEADER, list)
        return unsafe ccurl_perform(session)
    }
}

extension TransportFailure {
    /// Understands what libcurl reports.
    fileprivate init(_ code: Int) {
        self =
            switch code {
            case CCURL_OPERATION_TIMEDOUT: .timedOut
            case CCURL_COULDNT_RESOLVE_HOST, CCURL_COULDNT_RESOLVE_PROXY: .unknownHost
            case CCURL_COULDNT_CONNECT: .unreachable
            case CCURL_PARTIAL_FILE, CCURL_GOT_NOTHING, CCURL_SEND_ERROR, CCURL_RECV_ERROR:
                .connectionLost
            case CCURL_SSL_CONNECT_ERROR, CCURL_PEER_FAILED_VERIFICATION, CCURL_SSL_CERTPROBLEM,
                CCURL_SSL_CIPHER, CCURL_SSL_CACERT_BADFILE, CCURL_SSL_ISSUER_ERROR,
                CCURL_SSL_INVALIDCERTSTATUS:
                .insecure
            case CCURL_UNSUPPORTED_PROTOCOL, CCURL_WEIRD_SERVER_REPLY, CCURL_HTTP2,
                CCURL_HTTP2_STREAM, CCURL_BAD_CONTENT_ENCODING, CCURL_WRITE_ERROR:
                .malformedAnswer
            default: .other(-Int(code))
            }
    }
}
