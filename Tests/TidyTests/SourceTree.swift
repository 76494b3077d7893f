import Foundation

/// The files of the package, as the tidy tests read them.
enum SourceTree {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// One Swift file.
  struct File {
    /// Relative to the root.
    let path: String
    let lines: [String]

    /// The folder below `Sources` or `Tests`; of the examples, the one below theirs.
    var target: String {
      let folders = path.split(separator: "/").dropFirst()
      return String(
        folders.first == "Examples" ? folders.dropFirst().first ?? "" : folders.first ?? "")
    }
  }

  static let sources = files(below: "Sources")
  static let tests = files(below: "Tests")

  static let topLevel: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: root.path())) ?? []).sorted()

  static let manifest =
    (try? String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)) ?? ""

  private static func files(below folder: String) -> [File] {
    let start = root.appending(path: folder).path()
    let names = FileManager.default.enumerator(atPath: start)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
      guard let text = try? String(contentsOfFile: start + "/" + name, encoding: .utf8) else {
        return nil
      }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      return File(path: folder + "/" + name, lines: lines.last == "" ? lines.dropLast() : lines)
    }
  }
}

extension SourceTree.File {
  /// The lines without comments, with their numbers from 1 on.
  var code: [(number: Int, text: String)] {
    lines.enumerated().compactMap { index, line in
      let text = line.firstRange(of: "//").map { String(line[..<$0.lowerBound]) } ?? line
      return text.allSatisfy(\.isWhitespace) ? nil : (index + 1, text)
    }
  }

  /// The functions, initializers and subscripts that are longer than one line.
  var functions: [(name: String, line: Int, count: Int)] {
    let modifier =
      "(public|package|private|fileprivate|static|final|mutating|override|convenience|required|nonisolated|consuming|borrowing)"
    let pattern = "^ *(@[a-zA-Z]+(\\(.*\\))? +)*(\(modifier) +)*(func|init|deinit|subscript)\\b"
    guard let function = try? Regex(pattern) else { return [] }
    return lines.indices.compactMap { start in
      guard lines[start].contains(function), let body = bodyStart(from: start) else {
        return nil
      }
      let end = lines[start].prefix { $0 == " " } + "}"
      guard let last = lines[body...].firstIndex(where: { $0 == end }) else { return nil }
      let name = lines[start].trimmingCharacters(in: .whitespaces)
      return (name, start + 1, last - start + 1)
    }
  }

  /// The line whose brace opens the body; a declaration without one has no such line.
  private func bodyStart(from start: Int) -> Int? {
    for index in start..<min(start + 16, lines.count) {
      let line = lines[index].trimmingCharacters(in: .whitespaces)
      if line.hasSuffix("{") { return index }
      if line.isEmpty || line.hasSuffix("}") { return nil }
    }
    return nil
  }
}
