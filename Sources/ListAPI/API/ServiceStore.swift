package import HTTP
package import Listings
import Locks

package final class ServiceStore: Sendable {
    private let reloads: ReloadState?
    private let service: Locked<Service>
    private let idle: IdleLists
    let countedNames: [String]

    /// The lists are in the order of the directory, and their names differ.
    package init(
        _ lists: [ListDefinition],
        assets: AssetLibrary = AssetLibrary(),
        options: ServiceOptions = ServiceOptions(),
        reloads: ReloadState? = nil,
        isDraining: @escaping @Sendable () -> Bool
    ) throws(RoutingError) {
        self.reloads = reloads
        var state = ReloadState.State(assets: assets)
        (state.options, state.generation) = (options, reloads?.generation ?? 0)
        let now = options.lists?.current ?? ServedLists.State(lists: lists)
        countedNames = now.lists.map(\.name)
        idle = IdleLists(lists: countedNames.count)
        let first = Service(
            now.lists,
            Self.pools(of: now, state, countedNames, idle, after: nil),
            state,
            reloads,
            options.access?.current,
            try Route.router(and: options.routes),
            Service.Generation(
                lists: now.generation,
                reload: state.generation,
                access: options.access?.generation ?? 0
            ),
            isDraining: isDraining
        )
        service = Locked(first)
    }

    /// Throws for a list that can be opened neither now nor later.
    package func open() throws(SourceError) {
        for pool in current.lists.values {
            do { pool.giveBack(try pool.take()) } catch {
                // The other lists are served meanwhile.
                guard error.mayPass else { throw error }
            }
        }
    }

    var current: Service {
        service.withLock { service in
            if !service.isCurrent { service = next(after: service) }
            return service
        }
    }

    private func next(after former: Service) -> Service {
        var state = ReloadState.State(assets: former.assets)
        (state.options, state.generation) = (former.options, former.generation.reload)
        if let reloads { state = reloads.current }
        let access = state.options.access
        var generation = Service.Generation(reload: state.generation)
        var now = ServedLists.State(lists: former.names.compactMap { former.lists[$0]?.definition })
        var policy: AccessPolicy?
        repeat {
            if let servedLists = state.options.lists { now = servedLists.current }
            (generation.access, policy) = (access?.generation ?? 0, access?.current)
        } while policy.map { $0.generation != now.generation } ?? false
        generation.lists = now.generation
        let pools = Self.pools(of: now, state, countedNames, idle, after: former)
        for (name, pool) in former.lists where pools[name] !== pool { pool.retire() }
        return Service(
            now.lists,
            pools,
            state,
            reloads,
            policy,
            former.router,
            generation,
            isDraining: former.isDraining
        )
    }

    private static func pools(
        of now: ServedLists.State,
        _ state: ReloadState.State,
        _ countedNames: [String],
        _ idle: IdleLists,
        after former: Service?
    ) -> [String: ListPool] {
        var pools: [String: ListPool] = [:]
        let positions = countedNames.enumerated().map { ($0.element, $0.offset) }
        let counters = Dictionary(uniqueKeysWithValues: positions)
        let keepsPools = former?.generation.reload == state.generation
        for list in now.lists {
            let number = now.numbers[list.name] ?? 0
            let known = keepsPools ? former?.lists[list.name] : nil
            pools[list.name] =
                known?.number == number
                ? known : ListPool(list, number, counters[list.name], state.options, idle)
        }
        return pools
    }
}
