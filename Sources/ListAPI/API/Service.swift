import HTTP
import ListDiff
import Listings
import Locks
import Rendering

/// A reload or a changed list makes another one; a request keeps the one that it began with.
final class Service: Sendable {
    struct Generation: Hashable, Sendable {
        var lists = 0
        var reload = 0
        var access = 0
    }

    let generation: Generation
    let options: ServiceOptions
    private let reloads: ReloadState?
    let middleware: Middleware.Settings?
    let assets: AssetLibrary
    let names: [String]
    let lists: [String: ListPool]
    let relations: ListRelations
    /// The access rules for the lists; nil without access control.
    let policy: AccessPolicy?
    let router: Router<Route>
    let json = JSONPageRenderer()
    let pages: PageRenderers
    let fingerprint: String
    let isDraining: @Sendable () -> Bool
    let descriptions = Locked<[DescribedRights: StaticContent]>([:])
    let documentation = Locked(LRUCache<DocumentationKey, StaticContent>(capacity: 32))

    init(
        _ lists: [ListDefinition],
        _ pools: [String: ListPool],
        _ reload: ReloadState.State,
        _ reloads: ReloadState?,
        _ policy: AccessPolicy?,
        _ router: Router<Route>,
        _ generation: Generation,
        isDraining: @escaping @Sendable () -> Bool
    ) {
        self.generation = generation
        (options, assets) = (reload.options, reload.assets)
        self.reloads = reloads
        middleware = generation.reload > 0 ? reload.middleware : nil
        names = lists.map(\.name)
        self.lists = pools
        self.policy = policy
        self.router = router
        self.isDraining = isDraining
        relations = ListRelations(lists, options.relations)
        pages = PageRenderers(assets, options.templates)
        // Other programs or templates render differently, so that cached pages become stale.
        fingerprint = [
            RosterVersion.current, PageDigest.format.description, assets.fingerprint,
            FNV1a.of(options.templates.files).description,
            options.formulas == .neutralised ? "'" : "",
        ].joined(separator: " ")
    }

    /// Returns the part of entity tags by which the pages of callers differ.
    func mark(of caller: Caller?) -> String {
        options.identification == nil ? "" : caller?.name ?? ""
    }

    var isCurrent: Bool {
        (options.lists?.generation ?? 0) == generation.lists
            && (options.access?.generation ?? 0) == generation.access
            && (reloads?.generation ?? 0) == generation.reload
    }

    var makesLists: Bool { options.creation != nil && options.writing.isAllowed }

    func isOffered(_ route: Route) -> Bool {
        switch (options.operations, route) {
        case (.alone, .live), (.alone, .ready), (.alone, .version), (.alone, .problem): true
        case (.alone, _), (.besideLists, .metrics): route == .metrics || route == .lists
        // Only operators may see the lists and their setup.
        case (.besideLists, .lists): options.access != nil
        case (.elsewhere, .metrics), (.elsewhere, .lists): false
        case (.besideLists, _), (.elsewhere, _): true
        }
    }

    /// A caller whose token was removed has no permissions.
    func renewed(_ caller: Caller?) -> Caller? {
        guard let caller, let policy, caller.generation != policy.generation else { return caller }
        guard let name = caller.name else { return policy.anonymous }
        return policy.caller(named: name)
            ?? Caller(name: name, mayOperate: false, views: [:], generation: policy.generation)
    }
}

package enum RosterVersion {
    package static let current = "0.1.0"
}
