import Foundation
import Listings
import RemoteCodable
import RemoteCurl
import RemoteLists

/// A model as an embedder would declare it.
struct City: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    let name: String
}

struct CityController: RowController {
    let kind = "city.row"
    let columns = [Column("name")]

    func write(_ context: Context<City>, to cells: inout CellBuffer) {
        cells.append(context.model.name)
    }

    func revision(of model: City) -> Int64? { nil }
}

enum TestTransport: CaseIterable {
    /// By the program that fetches, as `roster` does.
    case program
    /// On threads of this process, as embedders may.
    case session

    func make() -> any RemoteTransport {
        switch self {
        case .program: ProcessTransport(path: Self.path)
        case .session: CurlTransport()
        }
    }

    static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "roster").path()
}

enum Cities {
    static func source(
        _ configuration: RemoteConfiguration,
        _ endpoint: Endpoint = Endpoint(),
        over transport: any RemoteTransport = TestTransport.program.make()
    ) -> RemoteSource<City> {
        RemoteSource(endpoint, of: configuration, as: .json, over: transport)
    }

    static func list(of source: RemoteSource<City>) throws -> RemoteList<City> {
        var registry = ControllerRegistry()
        let registration = try registry.register(CityController())
        let schema = try ListSchema(columns: CityController().columns, idType: .integer)
        return try RemoteList(of: source, using: registration, schema: schema)
    }

    static func stubbed(_ stub: RemoteStub) throws -> RemoteConfiguration {
        var configuration = RemoteConfiguration(try RemoteAddress("http://stub.invalid/cities"))
        configuration.stub = stub
        return configuration
    }

    static func json(_ ids: [Int]) -> String {
        "[" + ids.map { "{\"id\":\($0),\"name\":\"n\($0)\"}" }.joined(separator: ",") + "]"
    }
}

extension RemoteSource {
    func outcome() async -> Result<ListVersion, RemoteError> {
        do throws(RemoteError) { return .success(try await refresh()) } catch {
            return .failure(error)
        }
    }

    func error() async -> RemoteError? {
        guard case .failure(let error) = await outcome() else { return nil }
        return error
    }
}
