import Testing

/// What a reader may count on in every file, and the compiler does not check.
struct TidyTests {
  @Test func theFilesAreFound() {
    #expect(SourceTree.sources.count > 100)
    #expect(SourceTree.tests.count > 10)
  }

  @Test func filesAreShort() {
    for file in SourceTree.sources where file.lines.count > 400 {
      Issue.record("\(file.path) has \(file.lines.count) lines, more than 400")
    }
    for file in SourceTree.tests where file.lines.count > 600 {
      Issue.record("\(file.path) has \(file.lines.count) lines, more than 600")
    }
  }

  @Test func functionsAreShort() {
    let all = (SourceTree.sources + SourceTree.tests).flatMap { file in
      file.functions.map { (file.path, $0) }
    }
    #expect(all.count > 500)
    for (path, function) in all where function.count > 70 {
      Issue.record("\(path):\(function.line) has \(function.count) lines: \(function.name)")
    }
  }

  @Test func nothingTrapsOrIsLeftToDo() {
    let words = [/\btry!/, /\bas!/, /\bfatalError\b/]
    for file in SourceTree.sources {
      for (number, line) in file.code {
        for word in words where line.contains(word) {
          Issue.record("\(file.path):\(number): \(line)")
        }
      }
    }
    let reminders = ["TO" + "DO", "FIX" + "ME", "XX" + "X:"]
    for file in SourceTree.sources + SourceTree.tests {
      for (index, line) in file.lines.enumerated() where reminders.contains(where: line.contains) {
        Issue.record("\(file.path):\(index + 1): \(line)")
      }
    }
  }

  @Test func typesAreNamedForWhatTheyAre() {
    let empty =
      /\b(class|struct|enum|actor|protocol|typealias) +\w*(Manager|Helper|Helpers|Util|Utils|Utility|Utilities|Service|Base)\b/
    for file in SourceTree.sources + SourceTree.tests {
      for (number, line) in file.code where line.contains(empty) {
        Issue.record("\(file.path):\(number): \(line)")
      }
    }
  }

  @Test func thereAreNoBanners() {
    let banner = /^ *\/\/+ *(MARK\b|[-=*#~]{3,})/
    for file in SourceTree.sources + SourceTree.tests {
      for (index, line) in file.lines.enumerated() where line.contains(banner) {
        Issue.record("\(file.path):\(index + 1): \(line)")
      }
    }
  }

  @Test func whatOtherModulesSeeIsDocumented() {
    let declaration =
      /^ *(@\w+(\([^)]*\))? +)*(public|package)(\(set\))? +((static|final|mutating|nonisolated|indirect|class|override|consuming|borrowing|convenience|required|lazy|weak|unowned|private\(set\)) +)*(func|init|var|let|struct|enum|class|actor|protocol|typealias|subscript)\b/
    for file in SourceTree.sources {
      for (index, line) in file.lines.enumerated() where line.contains(declaration) {
        guard !file.isDocumented(index), !file.isWitness(index), !file.isField(index) else {
          continue
        }
        Issue.record("\(file.path):\(index + 1) has no documentation: \(line)")
      }
    }
  }

  @Test func theTopLevelHoldsOnlyWhatWasAgreed() {
    let agreed: Set<String> = [
      ".ci", ".git", ".gitignore", ".swift-format", "LICENSE", "Package.swift", "Protocol",
      "README.md", "Scripts", "Sources", "Tests",
    ]
    // What tools leave behind is not part of the package.
    let leftBehind: Set<String> = [".build", ".swiftpm", ".index-build"]
    for name in SourceTree.topLevel where !agreed.union(leftBehind).contains(name) {
      Issue.record("\(name) has no place at the top level")
    }
  }
}

extension SourceTree.File {
  /// Whether a documentation comment stands right above a line, attributes between them aside.
  fileprivate func isDocumented(_ index: Int) -> Bool {
    var above = index - 1
    while above >= 0, lines[above].contains(/^ *@/) { above -= 1 }
    return above >= 0 && lines[above].contains(/^ *\/\/\//)
  }

  /// Whether a line is a stored property, which its name, its type and the documentation of what
  /// holds it may explain.
  fileprivate func isField(_ index: Int) -> Bool {
    lines[index].contains(/\b(var|let) \w+: [^{=]+( = .*)?$/)
  }

  /// Whether a declaration fulfils a requirement of a protocol that the standard library documents.
  fileprivate func isWitness(_ index: Int) -> Bool {
    let names =
      /func (==|<|hash\(into|next\(|makeIterator\(|encode\(to|index\(|formIndex\()|var (description|debugDescription|underestimatedCount|startIndex|endIndex|id)\b|init\((\w+Literal|from)\b|typealias Element\b/
    return lines[index].contains(names)
  }
}
