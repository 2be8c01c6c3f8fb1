import HTTP
import RemoteLists
import Testing

@Suite("Lists that come in pages")
struct PagingTests {
    @Test("a Link field is followed until there is none")
    func linkField() async throws {
        let upstream = try Upstream()
        upstream.answer("/", .json(Cities.json([1, 2]), link: "</?p=2>; rel=\"next\""))
        upstream.answer("/?p=2", .json(Cities.json([]), link: "<?p=3>; rel=next, </>; rel=prev"))
        upstream.answer("/?p=3", .json(Cities.json([3]), link: "</>; rel=first"))
        try await expect([1, 2, 3], upstream)
        #expect(upstream.targets == ["/", "/?p=2", "/?p=3"])
    }

    @Test(
        "a link in the body is followed until it is null or missing",
        arguments: [
            (
                "{\"data\":[{\"id\":1,\"name\":\"a\"}],\"links\":{\"next\":\"/2\"}}",
                "{\"data\":[{\"id\":2,\"name\":\"b\"}],\"links\":{\"next\":null}}"
            ),
            (
                "{\"results\":[{\"id\":1,\"name\":\"a\"}],\"next\":\"/2\"}",
                "{\"results\":[{\"id\":2,\"name\":\"b\"}],\"next\":null}"
            ),
            (
                "{\"items\":[{\"id\":1,\"name\":\"a\"}],\"_links\":{\"next\":{\"href\":\"2\"}}}",
                "{\"items\":[{\"id\":2,\"name\":\"b\"}],\"_links\":{}}"
            ),
        ]
    )
    func linkInBody(first: String, second: String) async throws {
        let upstream = try Upstream()
        upstream.answer("/", first)
        upstream.answer("/2", second)
        try await expect([1, 2], upstream)
    }

    @Test("the Link field goes before the body")
    func fieldBeforeBody() async throws {
        let upstream = try Upstream()
        let body = "{\"data\":[{\"id\":1,\"name\":\"a\"}],\"next\":\"/wrong\"}"
        upstream.answer("/", .json(body, link: "</right>; rel=next"))
        upstream.answer("/right", Cities.json([2]))
        try await expect([1, 2], upstream)
    }

    @Test("pages by number end with a short one; an exact multiple asks once more")
    func numbers() async throws {
        let paging = Paging.numbers(parameter: "page", first: 1, sizeParameter: "count", size: 2)
        let short = try Upstream()
        short.answer("/?page=1&count=2", Cities.json([1, 2]))
        short.answer("/?page=2&count=2", Cities.json([3]))
        try await expect([1, 2, 3], short, paging)
        #expect(short.targets.count == 2)
        let exact = try Upstream()
        exact.answer("/?page=1&count=2", Cities.json([1, 2]))
        exact.answer("/?page=2&count=2", Cities.json([]))
        try await expect([1, 2], exact, paging)
        #expect(exact.targets.count == 2)
    }

    @Test("pages by offset keep the rest of the query")
    func offsets() async throws {
        let upstream = try Upstream()
        upstream.answer("/?q=x&offset=0", Cities.json([1, 2]))
        upstream.answer("/?q=x&offset=2", Cities.json([3, 4]))
        upstream.answer("/?q=x&offset=4", Cities.json([5]))
        let paging = Paging.offsets(parameter: "offset", sizeParameter: nil, size: 2)
        try await expect([1, 2, 3, 4, 5], upstream, paging, path: "/?q=x&offset=7")
    }

    @Test("one page is one page, whatever it links to")
    func single() async throws {
        let upstream = try Upstream()
        upstream.answer("/", .json(Cities.json([1]), link: "</2>; rel=next"))
        try await expect([1], upstream, .single)
    }

    @Test("links that come round are an error, and what was read before stays")
    func loop() async throws {
        let upstream = try Upstream()
        upstream.answer("/", .json(Cities.json([1]), link: "</2>; rel=next"))
        upstream.answer("/2", Cities.json([2]))
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        let version = try await source.refresh()
        upstream.answer("/2", .json(Cities.json([2]), link: "</>; rel=next"))
        #expect(await source.error() == .repeatedPage(try upstream.address().description))
        #expect(source.snapshot.version == version)
        #expect(source.snapshot.isStale)
    }

    @Test("a service that ignores the page number is found out at its second page")
    func ignoredNumber() async throws {
        let upstream = try Upstream()
        upstream.answer("/?page=1", Cities.json([1, 2]))
        upstream.answer("/?page=2", Cities.json([1, 2]))
        var configuration = RemoteConfiguration(try upstream.address())
        configuration.paging = .numbers(
            parameter: "page",
            first: 1,
            sizeParameter: nil,
            size: 2
        )
        let address = try upstream.address("/?page=2").description
        #expect(await Cities.source(configuration).error() == .repeatedPage(address))
    }

    @Test("pages and bytes past their bounds are an error")
    func bounds() async throws {
        let upstream = try Upstream()
        for page in 0..<5 {
            let link = "</?p=\(page + 1)>; rel=next"
            upstream.answer(page == 0 ? "/" : "/?p=\(page)", .json(Cities.json([page]), link: link))
        }
        var configuration = RemoteConfiguration(try upstream.address())
        configuration.limits.maximumPages = 3
        #expect(await Cities.source(configuration).error() == .tooManyPages(maximum: 3))
        #expect(upstream.targets.count == 3)
        configuration.limits.maximumDuration = .zero
        let slow = RemoteError.tooSlow(maximum: .zero)
        #expect(await Cities.source(configuration).error() == slow)
        #expect(upstream.targets.count == 4)
        configuration.limits = RemoteConfiguration.Limits()
        configuration.limits.maximumTotalBytes = 50
        #expect(await Cities.source(configuration).error() == .tooLarge(maximumBytes: 50))
    }

    @Test("a page that is missing fails the whole list")
    func missingPage() async throws {
        let upstream = try Upstream()
        upstream.answer("/", .json(Cities.json([1]), link: "</2>; rel=next"))
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        guard case .status(404, _) = await source.error() else {
            Issue.record("\(source.state)")
            return
        }
        #expect(source.snapshot.models.isEmpty)
        #expect(source.snapshot.version == nil)
    }

    @Test("a next page on another server is refused, and so is a malformed Link field")
    func foreignPage() async throws {
        let upstream = try Upstream()
        upstream.answer("/", .json(Cities.json([1]), link: "<http://10.0.0.1/>; rel=next"))
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        #expect(await source.error() == .refusedAddress("http://10.0.0.1/"))
        upstream.answer("/", .json(Cities.json([1]), link: "</2; rel=next"))
        #expect(await source.error() == .invalidField("Link"))
    }

    @Test("an id that stands on two pages is reported with both places, or the first row is kept")
    func repeatedID() async throws {
        let upstream = try Upstream()
        upstream.answer("/", .json(Cities.json([1, 2]), link: "</2>; rel=next"))
        upstream.answer("/2", Cities.json([3, 2]))
        var configuration = RemoteConfiguration(try upstream.address())
        let error = await Cities.source(configuration).error()
        let locations = (RemoteLocation(page: 1, row: 2), RemoteLocation(page: 2, row: 2))
        #expect(error == .repeatedID("2", first: locations.0, second: locations.1))
        configuration.repeatedIDs = .firstKept
        let source = Cities.source(configuration)
        try await source.refresh()
        #expect(source.snapshot.models.map(\.id) == [1, 2, 3])
    }

    private func expect(
        _ ids: [Int],
        _ upstream: Upstream,
        _ paging: Paging = .links,
        path: String = "/",
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        var configuration = RemoteConfiguration(try upstream.address(path))
        configuration.paging = paging
        let source = Cities.source(configuration)
        try await source.refresh()
        #expect(source.snapshot.models.map(\.id) == ids, sourceLocation: location)
    }
}
