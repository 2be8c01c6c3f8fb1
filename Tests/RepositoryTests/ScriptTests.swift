import Testing

@Suite("The page's script is made of layers")
struct ScriptTests {
    @Test("a module imports only modules that come before it")
    func importsPointBack() throws {
        let list = try Repository.text(of: "Sources/Rendering/Documents/Asset.swift")
        let order = list.matches(of: /PackageResources\.(\w+)_js/).map { String($0.output.1) }
        let modules = try Repository.files().compactMap { path in
            path.wholeMatch(of: /Public\/scripts\/(\w+)\.js/).map { String($0.output.1) }
        }
        #expect(order.sorted() == modules.sorted())
        for (index, module) in order.enumerated() {
            let text = try Repository.text(of: "Public/scripts/\(module).js")
            let imports = text.matches(of: /from "\.\/(\w+)\.js"/).map { String($0.output.1) }
            #expect(imports.filter { !order[..<index].contains($0) } == [], "\(module)")
        }
    }
}
