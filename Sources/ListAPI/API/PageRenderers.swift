import Listings
import Locks
import Rendering

final class PageRenderers: Sendable {
    private let assets: AssetLibrary
    private let templates: TemplateSet
    private let root: [HTMLPageRenderer]
    private let others = Locked(LRUCache<Address, [HTMLPageRenderer]>(capacity: 16))

    init(_ assets: AssetLibrary, _ templates: TemplateSet) {
        self.assets = assets
        self.templates = templates
        root = Self.make(assets, templates, .root)
    }

    subscript(language: PageLanguage, addresses: Address) -> HTMLPageRenderer {
        let renderers =
            addresses == .root
            ? root
            : others.withLock { others in
                let known = others.take(addresses) ?? Self.make(assets, templates, addresses)
                others.insert(known, for: addresses)
                return known
            }
        return renderers[PageLanguage.allCases.firstIndex(of: language) ?? 0]
    }

    private static func make(
        _ assets: AssetLibrary,
        _ templates: TemplateSet,
        _ addresses: Address
    ) -> [HTMLPageRenderer] {
        func address(_ name: String) -> String {
            assets.hashedName(name).map(addresses.asset) ?? addresses.directory
        }
        var site = SiteAssets(
            stylesheet: address("style.css"),
            script: address("list.js"),
            icon: address("favicon.svg"),
            directory: addresses.directory
        )
        site.logo = assets.frame.logo.map { address($0.name) }
        site.footer = assets.frame.footer
        return PageLanguage.allCases.map { language in
            site.language = language
            return HTMLPageRenderer(site: site, templates: templates)
        }
    }
}
