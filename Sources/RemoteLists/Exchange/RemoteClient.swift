/// One request with its redirects, size checks and status checks.
struct RemoteClient {
    let configuration: RemoteConfiguration
    let transport: any RemoteTransport

    /// If the mark is still valid, the status is 304.
    ///
    /// The returned request is the last one after all redirects. Fails for a response that is not
    /// successful.
    func response(
        to first: RemoteRequest,
        unless known: Validators? = nil
    ) async throws(RemoteError) -> (request: RemoteRequest, response: RemoteResponse) {
        var request = first
        for _ in 0...max(0, configuration.limits.maximumRedirects) {
            var outgoing = request
            let isConditional = known?.address == request.address
            if isConditional { outgoing.fields += known?.conditions ?? [] }
            let response = try await send(outgoing)
            if isConditional, response.status == 304 { return (request, response) }
            guard Self.redirects.contains(response.status),
                let location = response.field("location")
            else {
                guard (200...299).contains(response.status) else {
                    let beginning = Self.beginning(of: response.body)
                    let body = Redaction.masked(beginning, sent: outgoing.fields)
                    throw .status(response.status, body: body)
                }
                return (request, response)
            }
            request = try redirected(request, response.status, to: location)
        }
        throw .tooManyRedirects(maximum: configuration.limits.maximumRedirects)
    }

    private func send(_ request: RemoteRequest) async throws(RemoteError) -> RemoteResponse {
        configuration.log.requestBegan(request)
        let start = ContinuousClock.now
        do throws(RemoteError) {
            let response = try await transport.send(request)
            guard response.body.count <= request.maximumBytes else {
                throw .tooLarge(maximumBytes: request.maximumBytes)
            }
            configuration.log.requestEnded(
                request,
                .success(response),
                after: start.duration(to: .now)
            )
            return response
        } catch {
            configuration.log.requestEnded(
                request,
                .failure(error),
                after: start.duration(to: .now)
            )
            throw error
        }
    }

    private func redirected(
        _ request: RemoteRequest,
        _ status: Int,
        to location: String
    ) throws(RemoteError) -> RemoteRequest {
        let target = try request.address.resolving(location)
        var next = request
        // RFC 9110 §15.4: 307 and 308 repeat the method, the others use GET.
        if status < 307 {
            next.method = .get
            next.body = []
        }
        return try self.request(next, at: target)
    }

    /// Fails if the configuration does not allow the address.
    func request(
        _ request: RemoteRequest,
        at target: RemoteAddress
    ) throws(RemoteError) -> RemoteRequest {
        guard configuration.permits(target, from: request.address),
            configuration.permits(target, from: configuration.address)
        else { throw .refusedAddress(target.masked) }
        var next = request
        next.address = target
        // Credentials for one server are never sent to another one.
        if target.host != request.address.host || target.port != request.address.port,
            configuration.reach == .anyHost
        {
            guard request.body.isEmpty else { throw .refusedAddress(target.masked) }
            next.fields = [.accept]
        }
        return next
    }

    private static let redirects: Set<Int> = [301, 302, 303, 307, 308]

    private static func beginning(of body: [UInt8]) -> String {
        String(decoding: body.prefix(2 << 10), as: UTF8.self)
    }
}
