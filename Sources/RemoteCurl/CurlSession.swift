import CCurl
package import RemoteLists

/// A libcurl session, which sends one request at a time and reuses connections.
///
/// It follows no redirects, stores no cookies and checks no status. Proxies come from the
/// environment (such as `https_proxy`), trusted certificates from the system.
@safe
package struct CurlSession: ~Copyable {
    /// Whether libcurl is available.
    ///
    /// It is loaded once, because its set-up is not thread-safe.
    private static let isLoaded = ccurl_load() != 0

    private let session: UnsafeMutableRawPointer

    /// Nil without libcurl or without memory.
    package init?() {
        // SAFETY: this value alone owns the new session.
        guard Self.isLoaded, let session = unsafe ccurl_make() else { return nil }
        unsafe self.session = session
    }

    deinit {
        // SAFETY: owned by this value alone.
        unsafe ccurl_free(session)
    }

    package func response(to request: RemoteRequest) -> Result<RemoteResponse, RemoteError> {
        let response = CurlResponse(maximumBytes: request.maximumBytes)
        // SAFETY: all options refer to the last request. Connections stay open.
        unsafe ccurl_reset(session)
        setUp(request)
        setCallbacks(response)
        let fields = CurlFields(request)
        let code = withExtendedLifetime(response) {
            // SAFETY: the response, which the callbacks write to, outlives the call.
            unsafe fields.perform(with: session)
        }
        if let maximum = response.exceeded { return .failure(.tooLarge(maximumBytes: maximum)) }
        switch code {
        case CCURL_OK:
            // SAFETY: this value owns the session, which has a response.
            let status = unsafe ccurl_status(session)
            return .success(
                RemoteResponse(status: status, fields: response.fields, body: response.body)
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
        // The empty text selects every content coding that libcurl can decode.
        set(CCURL_ACCEPT_ENCODING, "")
        set(CCURL_USERAGENT, "roster")
        // SAFETY: numbers are copied.
        unsafe ccurl_set_size(session, CCURL_MAXFILESIZE_LARGE, Int64(request.maximumBytes))
        if !request.body.isEmpty || request.method == .post {
            // SAFETY: the length is set first, so that number of bytes is copied during the call.
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

    private func setCallbacks(_ response: CurlResponse) {
        // SAFETY: both callbacks receive the response set here, which outlives the transfer.
        let target = unsafe Unmanaged.passUnretained(response).toOpaque()
        unsafe ccurl_set_pointer(session, CCURL_HEADERDATA, target)
        unsafe ccurl_set_pointer(session, CCURL_WRITEDATA, target)
        unsafe ccurl_set_callback(session, CCURL_HEADERFUNCTION) { bytes, _, count, target in
            // SAFETY: libcurl passes `count` bytes that are valid during the call.
            let line = unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
            let response = unsafe target.map {
                unsafe Unmanaged<CurlResponse>.fromOpaque($0).takeUnretainedValue()
            }
            return response?.take(line: line) == true ? count : 0
        }
        unsafe ccurl_set_callback(session, CCURL_WRITEFUNCTION) { bytes, _, count, target in
            // SAFETY: libcurl passes `count` bytes that are valid during the call.
            let content = unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
            let response = unsafe target.map {
                unsafe Unmanaged<CurlResponse>.fromOpaque($0).takeUnretainedValue()
            }
            // A return value other than `count` ends the transfer, and `count` may be zero here.
            return response?.take(content: content) == true ? count : count + 1
        }
    }
}

@safe
private struct CurlFields: ~Copyable {
    private let list: UnsafeMutableRawPointer?

    /// Appends the fields, and removes those that libcurl would add by itself.
    init(_ request: RemoteRequest) {
        var lines = request.fields.map { field in
            // A semicolon sends a field without a value, because a colon would remove the field.
            field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
        }
        for name in ["Accept", "Content-Type", "Expect"]
        where !request.fields.contains(where: { $0.name.lowercased() == name.lowercased() }) {
            lines.append("\(name):")
        }
        // SAFETY: this value owns the list. libcurl copies each text during the call.
        unsafe list = lines.reduce(nil) { list, line in
            unsafe ccurl_append(list, line) ?? list
        }
    }

    deinit {
        // SAFETY: this value alone owns the list and outlives the transfer.
        unsafe ccurl_free_list(list)
    }

    /// All other options are set before.
    func perform(with session: UnsafeMutableRawPointer) -> Int {
        // SAFETY: the list is borrowed for the transfer, and this value outlives the call.
        unsafe ccurl_set_pointer(session, CCURL_HTTPHEADER, list)
        return unsafe ccurl_perform(session)
    }
}

extension TransportFailure {
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
                .malformedResponse
            default: .other(-Int(code))
            }
    }
}
