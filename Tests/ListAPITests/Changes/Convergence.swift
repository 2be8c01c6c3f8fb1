import HTTP
import ListAPITestSupport
import TestSupport
import Testing

/// Ten clients that follow different pages of a list while it is written to, cut off and coming back
/// at random; what they hold is made by changes alone.
final class Convergence {
    private static let targets = [
        "/users?limit=12", "/users?sort=-lastName&limit=20&group=none",
        "/users?per_section=3&limit=4", "/users?group=city&sort=age&limit=30",
        "/users?city=Oslo&limit=10", "/users?group=lastName:initial&limit=25",
        "/users?limit=10&page=2&group=none", "/users/-/sections/Writer?limit=6",
        "/users?sort=-city:nullsfirst,firstName&limit=15&columns=firstName,city",
        "/users?firstName__gte=b&limit=8",
    ]

    enum Way: CaseIterable { case asking, waiting, listening }

    private final class Follower {
        let target: String
        let server: TestServer
        let client: Client
        let way: Way
        var replica: PageReplica
        var reader: EventReader?

        init(_ target: String, of server: TestServer, _ way: Way) throws {
            self.target = target
            self.server = server
            self.way = way
            client = try Client(of: server)
            replica = try PageReplica(client.get(target).json())
        }
    }

    private let servers: [TestServer]
    private var generator: SeededGenerator
    private var followers: [Follower] = []
    private(set) var applied = 0
    private(set) var reloads = 0

    static var writes: Int { TestCount.of("ROSTER_TEST_WRITES", else: 300) }

    init(_ servers: [TestServer], seed: UInt64) throws {
        self.servers = servers
        generator = SeededGenerator(seed: seed)
        for (index, target) in Self.targets.enumerated() {
            let way = Way.allCases[index % Way.allCases.count]
            let server = servers[index % servers.count]
            followers.append(try Follower(target, of: server, way))
        }
    }

    func run(writes: Int) throws {
        let clients = try servers.map { try Client(of: $0) }
        var writer = RandomWriter(seed: 3)
        for number in 1...writes {
            try writer.write(clients[Int.random(in: clients.indices, using: &generator)])
            let follower = followers[Int.random(in: followers.indices, using: &generator)]
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: follower.reader = nil
            case 1: try connect(follower)
            case 2 where follower.way != .listening: try ask(follower)
            default: break
            }
            guard number % 25 == 0 || number == writes else { continue }
            for follower in followers { try catchUp(follower) }
        }
    }

    private func connect(_ follower: Follower) throws {
        guard follower.way == .listening, follower.reader == nil else { return }
        follower.reader = try EventReader(
            follower.server,
            follower.replica.changes,
            lastEventID: Bool.random(using: &generator) ? follower.replica.version : nil
        )
    }

    private func ask(_ follower: Follower, wait: Int = 0) throws {
        let fields: [(FieldName, String)] = wait > 0 ? [("Prefer", "wait=\(wait)")] : []
        let answer = try follower.client.ask(.get, follower.replica.changes, fields: fields)
        switch answer.status {
        case 200:
            try follower.replica.apply(answer.json())
            applied += 1
        case 410: try reload(follower)
        default: Issue.record("\(answer)")
        }
    }

    private func reload(_ follower: Follower) throws {
        follower.replica = try PageReplica(follower.client.get(follower.target).json())
        reloads += 1
    }

    private func catchUp(_ follower: Follower) throws {
        while true {
            let fresh = try follower.client.get(follower.target).json()
            if fresh["list", "version"]?.text == follower.replica.version {
                let difference = try follower.replica.difference(from: fresh)
                #expect(difference == nil, "\(follower.target)")
                return
            }
            switch follower.way {
            case .asking: try ask(follower)
            case .waiting: try ask(follower, wait: 20)
            case .listening: try listen(follower)
            }
        }
    }

    private func listen(_ follower: Follower) throws {
        try connect(follower)
        guard let event = try follower.reader?.nextEvent() else {
            Issue.record("a stream of \(follower.target) ended")
            follower.reader = nil
            return
        }
        guard event.name == "changes" else { return try reload(follower) }
        let change = try event.json()
        if change["from"]?.text == follower.replica.version {
            try follower.replica.apply(change)
            #expect(event.id == follower.replica.version)
            applied += 1
        } else if change["to"]?.text != follower.replica.version {
            try ask(follower)
        }
    }
}
