import Foundation
import PackagePlugin

/// Puts the files of `Public/` into the target that uses it, as Swift source.
@main
struct EmbedAssetsPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Public")
        // Sorted, so that the same files give the same source on every machine.
        let files = try FileManager.default
            .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { !$0.lastPathComponent.hasPrefix(".") }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        let output = context.pluginWorkDirectoryURL.appending(path: "Assets.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) assets",
                executable: try context.tool(named: "EmbedAssets").url,
                arguments: [output.path()] + files.map { $0.path() },
                inputFiles: files,
                outputFiles: [output]
            )
        ]
    }
}
