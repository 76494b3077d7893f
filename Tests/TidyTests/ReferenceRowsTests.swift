import Foundation
import Testing

/// The table of what other systems do names tests that are there.
struct ReferenceRowsTests {
  private static let page = SourceTree.root
    .appending(path: "Sources/DuxStore/DuxStore.docc/ReferenceRows.md")

  @Test func theTestsThatAreNamedExist() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    var count = 0
    var suite = ""
    for match in text.matches(of: /`([A-Za-z]+Tests)?(?:\.([a-zA-Z]\w*))?`/) {
      let (_, name, test) = match.output
      if let name { suite = String(name) }
      guard name != nil || test != nil else { continue }
      let files = Self.files(of: suite)
      if files.isEmpty { Issue.record("there is no suite \(suite)") }
      guard let test else { continue }
      count += 1
      if !files.contains(where: { $0.declares(test) }) {
        Issue.record("\(suite) has no test \(test)")
      }
    }
    #expect(count > 50)
  }

  /// Those named for the suite, those that declare it, and those of a target of that name.
  private static func files(of suite: String) -> [SourceTree.File] {
    SourceTree.tests.filter { file in
      file.target == suite || file.path.hasSuffix("/\(suite).swift")
        || file.lines.contains { $0.contains("struct \(suite) ") }
    }
  }
}

extension SourceTree.File {
  fileprivate func declares(_ test: some StringProtocol) -> Bool {
    lines.contains { $0.contains("func \(test)(") }
  }
}
