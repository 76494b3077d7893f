import Foundation
import Testing

/// The page about clients.
struct ClientsPageTests {
  private static let sources = packageRoot + "/Sources"

  @Test func `all code on the page compiles, as one program`() throws {
    let page = try String(
      decoding: contents(of: Self.sources + "/DuxClient/DuxClient.docc/Clients.md"),
      as: UTF8.self)
    let blocks = Self.blocks(of: page)
    #expect(blocks.count > 6)
    let folder = try TemporaryFolder()
    let main = folder("main.swift")
    try write(Array(blocks.joined(separator: "\n").utf8), to: main)
    let maps = try names(in: Self.sources)
      .map { Self.sources + "/\($0)/module.modulemap" }
      .filter { FileManager.default.fileExists(atPath: $0) }
      .flatMap { ["-Xcc", "-fmodule-map-file=" + $0] }
    let result = try run(
      ["swiftc", "-typecheck", "-swift-version", "6", "-I", programs + "/Modules"] + maps + [main],
      within: .seconds(300))
    #expect(result.end == .code(0), "\(result.errors)")
  }

  private static func blocks(of page: String) -> [String] {
    page.split(separator: "```swift\n", omittingEmptySubsequences: false).dropFirst()
      .compactMap { rest in
        rest.firstRange(of: "```").map { String(rest[..<$0.lowerBound]) }
      }
  }
}
