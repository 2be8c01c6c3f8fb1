import Listings
import Rendering

/// The HTML page renderers: one per language for each recently used base path.
struct PageRenderers {
    private let assets: AssetLibrary
    private let templates: TemplateSet
    /// The renderers for the current base path, in the order of the languages.
    private var current: [HTMLPageRenderer]
    /// The addresses that the renderers link to.
    private var addresses: Address
    private var known = LRUCache<Address, [HTMLPageRenderer]>(capacity: 16)

    init(_ assets: AssetLibrary, _ templates: TemplateSet, _ addresses: Address) {
        self.assets = assets
        self.templates = templates
        self.addresses = addresses
        current = Self.make(assets, templates, addresses)
    }

    /// Switches to the renderers of another base path.
    mutating func use(_ addresses: Address) {
        known.insert(current, for: self.addresses)
        self.addresses = addresses
        current = known.take(addresses) ?? Self.make(assets, templates, addresses)
    }

    subscript(language: PageLanguage) -> HTMLPageRenderer {
        current[PageLanguage.allCases.firstIndex(of: language) ?? 0]
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
