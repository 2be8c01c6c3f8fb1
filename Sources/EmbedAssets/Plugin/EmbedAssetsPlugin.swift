import Foundation
import PackagePlugin

/// Puts the files of `Public/` into the target that uses it, as Swift source.
@main
struct EmbedAssetsPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Public")
        let files = try FileManager.default
            .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let output = context.pluginWorkDirectoryURL.appending(path: "Assets.swift")
        return [
            .buildCommand(
                displayName: "Embedding the files of Public",
                executable: try context.tool(named: "EmbedAssets").url,
                arguments: [output, folder].map { $0.path(percentEncoded: false) },
                // The folder changes with every file that comes or goes, while this plugin is asked
                // again only when the package itself changes.
                inputFiles: [folder] + files,
                outputFiles: [output]
            )
        ]
    }
}
