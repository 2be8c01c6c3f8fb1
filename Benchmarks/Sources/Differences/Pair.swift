import Allocations
import ListDiff
import Listings

/// A case as each of those that are compared takes it.
struct Pair {
    /// A row as an app has it: its name is as wide as a UUID.
    struct Model: NamedModel {
        struct Name: Hashable, CustomStringConvertible {
            let high: UInt64
            let low: UInt64
            var description: String { "\(high)" }
        }
        let name: Name
        let revision: UInt64

        init(_ id: UInt64, revision: UInt64) {
            name = Name(high: id, low: ~id)
            self.revision = revision
        }

        func showsSame(as other: Model) -> Bool { revision == other.revision }
    }

    /// A version of a list.
    struct Version {
        let digest: ListDigest
        let names: Names
        let models: [Model]

        init(_ digest: ListDigest) {
            self.digest = digest
            names = Names(digest.rowIDs)
            models = zip(digest.rowIDs, digest.rowRevisions).map { Model($0, revision: $1) }
        }
    }

    let old: Version
    let new: Version

    init(_ item: Case) {
        let digests = item.digests
        old = Version(digests.old)
        new = Version(digests.new)
    }

    /// By ours, in places alone.
    func difference(
        _ differ: inout ListDiffer,
        _ uniqueness: ListDiffer.Uniqueness = .trusted
    ) -> ListDifference {
        differ.difference(
            from: old.digest,
            to: new.digest,
            uniqueness: uniqueness,
            limit: .max
        )
    }

    /// By ours, every change with the name of its row.
    func namedDifference(_ differ: inout ListDiffer) -> ListDifference {
        differ.difference(
            from: old.digest,
            named: old.names,
            to: new.digest,
            named: new.names,
            limit: .max
        )
    }

    /// By ours, from models.
    func modelDifference(_ differ: inout ListDiffer) -> ListDifference {
        let section = SectionInfo("all")
        return differ.difference(
            from: [(section, old.models)],
            to: [(section, new.models)],
            limit: .max,
            id: \.name,
            isEqual: { $0.showsSame(as: $1) }
        )
    }

    func heckelDifference() -> HeckelDifference<Model> {
        HeckelDifference(from: old.models, to: new.models)
    }

    /// What a library pays at least that puts every row of one version into a dictionary and looks
    /// up every row of the other.
    func hashAll() -> Int {
        var locations: [Model.Name: Int] = [:]
        locations.reserveCapacity(new.models.count)
        for (location, model) in new.models.enumerated() { locations[model.name] = location }
        return old.models.reduce(0) { $0 &+ (locations[$1.name] ?? 0) }
    }

    /// How often memory is asked for by ours once it has been used.
    func allocationCount(_ differ: inout ListDiffer) -> Int {
        // What was returned first may still hold memory; the next time everything is there.
        for _ in 0..<2 { _ = difference(&differ) }
        let before = allocations_made()
        let difference = difference(&differ)
        return withExtendedLifetime(difference) { Int(allocations_made() - before) }
    }
}

extension ListDifference {
    /// What a client is asked to do, counted.
    var changeCount: Int {
        stages.reduce(0) {
            $0 + $1.deletedRows.count + $1.insertedRows.count + $1.movedRows.count
                + $1.reloadedRows.count
        }
    }

    /// The arrays that it is made of, of a list whose sections stay: each is memory of its own.
    var arrayCount: Int {
        var capacities = [stages.count, rowsToSend.count, sectionsToSend.count]
        for stage in stages {
            capacities += [
                stage.deletedRows.count, stage.insertedRows.count, stage.movedRows.count,
                stage.reloadedRows.count, stage.changedHeaders.count, stage.counts.count,
            ]
        }
        return capacities.count { $0 > 0 }
    }
}
