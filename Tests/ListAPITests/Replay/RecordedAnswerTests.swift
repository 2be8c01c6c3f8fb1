import ListAPI
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@testable import RosterProgram

/// Answers that were recorded, byte for byte; `UPDATE_GOLDEN=1` records them anew.
///
/// A change that is not meant to be seen leaves all records as they are.
@Suite("Recorded answers")
struct RecordedAnswerTests {
    @Test("lists in memory, with cells and rows of every kind")
    func memory() throws {
        let lists = try ReplayLists()
        var options = ServiceOptions()
        options.templates = try ReplayLists.templates()
        var record = try ReplayRecord { [lists, options] in
            try ReplayMiddleware(lists.lists, options, pageCacheBytes: $0)
        }
        try record.add(.gallery + .arranged + .edges + .short)
        try record.compare(with: "cells")
    }

    @Test("lists in memory, with rows that are more than cells, and once more after a write")
    func rows() throws {
        let lists = try ReplayLists()
        var options = ServiceOptions()
        options.templates = try ReplayLists.templates()
        var record = try ReplayRecord { [lists, options] in
            try ReplayMiddleware(lists.lists, options, pageCacheBytes: $0)
        }
        try record.add(.desk + .tree + .parts + .empty + .service)
        // Pages of before are known to the gateways, which have to forget what has changed.
        try record.compareWithNew(.gallery + .short)
        try lists.write()
        try record.compareWithNew(.gallery + .short + .desk + .tree + .service)
        try record.add(.written)
        try record.compare(with: "rows")
    }

    @Test("the sample users")
    func users() throws {
        let lists = [try SampleList.make(epoch: 0x2A)]
        var record = try ReplayRecord {
            try ReplayMiddleware(lists, ServiceOptions(), pageCacheBytes: $0)
        }
        try record.add(.users)
        try record.compare(with: "users")
    }

    @Test("callers with tokens, each of whom sees rows of their own")
    func callers() throws {
        let lists = [try SampleList.make(epoch: 0x2A), try .items(.numbered(9))]
        let folder = try ScratchFolder()
        let scopes = [
            (name: "writers", scopes: "users:read:occupation=Writer"),
            (name: "young", scopes: "users:read:age__lt=40 items:read"),
            (name: "all", scopes: "*:read"),
        ]
        try folder.write(Array(AuthorizedClient.lines(scopes).utf8), to: "tokens")
        var options = ServiceOptions()
        options.access = try AccessPolicyStore(
            folder.path + "/tokens",
            lists,
            AccessPolicy.Openness(reading: true)
        )
        var record = try ReplayRecord { [options] in
            try ReplayMiddleware(lists, options, pageCacheBytes: $0)
        }
        try record.add(.callers)
        try record.compare(with: "callers")
    }

    @Test("files that were imported into SQLite, and once more after they were written to")
    func imported() throws {
        let folder = try ScratchFolder()
        let lists = try StoredLists.imported(in: folder)
        var options = ServiceOptions()
        options.writing = .everybody(requiresCondition: false)
        options.cursorKeys = try #require(
            CursorKeys([Array("thirty-two bytes that are secret".utf8)])
        )
        var record = try ReplayRecord { [options] in
            try ReplayMiddleware(lists, options, pageCacheBytes: $0)
        }
        try record.add(.table + .records)
        for request in [ReplayRequest].writes { try record.change(request) }
        try record.compareWithNew(.table + .records)
        try record.add(.tableWritten)
        try record.compare(with: "imported")
    }

    @Test("tables of somebody else's database in SQLite")
    func foreign() throws {
        let folder = try ScratchFolder()
        let lists = try StoredLists.foreign(in: folder)
        var record = try ReplayRecord(blanks: ReplayBlanks("ETag", "If-None-Match")) {
            try ReplayMiddleware(lists, ServiceOptions(), pageCacheBytes: $0)
        }
        try record.add(.things + .pairs)
        try record.compare(with: "foreign")
    }

    @Test("a table in PostgreSQL", .needsPostgres)
    func postgres() throws {
        let lists = try StoredLists.postgres()
        var options = ServiceOptions()
        options.writing = .everybody(requiresCondition: false)
        var record = try ReplayRecord(blanks: .revisions) { [options] in
            try ReplayMiddleware(lists, options, pageCacheBytes: $0)
        }
        try record.add(.things)
        try record.compare(with: "postgres")
    }
}
