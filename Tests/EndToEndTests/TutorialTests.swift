import Foundation
import Testing

/// The page that leads from an empty package to a daemon of one's own, followed to the letter.
struct TutorialTests {
  private static let pagePath =
    packageRoot + "/Sources/DuxStore/DuxStore.docc/GettingStarted.md"
  /// `debug` or `release`: the page's tests look inside the module they test, as only a debug build
  /// lets them.
  private static let configuration = programs.split(separator: "/").last ?? ""

  @Test(.enabled(if: configuration == "debug"))
  func thePageLeadsFromAnEmptyPackageToADaemon() throws {
    let page = try TutorialPage(String(decoding: contents(of: Self.pagePath), as: UTF8.self))
    let reader = try Reader()
    for step in page.steps {
      switch step {
      case .file(let path, let text): try reader.write(text, to: path)
      case .line(let line): try reader.type(line)
      case .command(let line, let output): try reader.type(line, showing: output)
      }
    }
    #expect(reader.fileCount == 4)
    #expect(reader.commandCount > 8)
  }

  @Test func whereThePageLeavesSomethingOutAnythingFits() {
    #expect(TutorialPage.fits("seq 2", "seq 2"))
    #expect(!TutorialPage.fits("seq 22", "seq 2"))
    #expect(TutorialPage.fits("4  12:00  ann  buy  /a = 1", "4  …  buy  …"))
    #expect(TutorialPage.fits("4 buy, ", "4 buy, …"))
    #expect(!TutorialPage.fits("4  12:00  ann  sell  /a = 1", "4  …  buy  …"))
    #expect(!TutorialPage.fits("aba", "ab…ba"))
  }
}

/// Somebody who does what the page says, in folders and with ports of their own.
private final class Reader {
  private let folder: TemporaryFolder
  private var daemon: DaemonProcess?
  private(set) var fileCount = 0
  private(set) var commandCount = 0

  init() throws {
    folder = try TemporaryFolder()
  }

  func write(_ text: String, to path: String) throws {
    let file = URL(filePath: folder(path))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let text = text.replacing("\"../dux\"", with: "\"\(packageRoot)\"")
    try EndToEndTests.write(Array(text.utf8), to: file.path())
    fileCount += 1
  }

  /// Types a line that prepares something; ports and folders are the test's own.
  func type(_ line: String) throws {
    switch line.split(separator: " ").first {
    case "mkdir", "cd", "export": break
    case "swift": try swift(String(line.dropFirst(6)))
    case ".build/debug/shoppingd": try start()
    case "kill": try daemon?.kill()
    default: Issue.record("the page has this typed, and the test does not know it: \(line)")
    }
  }

  func type(_ line: String, showing output: [String]) throws {
    let daemon = try #require(daemon, "\(line) comes before the daemon was started")
    let result = try CommandLine(daemon).shell("\(line) 2>&1")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(
      lines.count == output.count && zip(lines, output).allSatisfy(TutorialPage.fits),
      "\(line)\nprints:\n\(result.output)the page shows:\n\(output.joined(separator: "\n"))")
    commandCount += 1
  }

  private func start() throws {
    if let daemon { return try daemon.start() }
    daemon = try DaemonProcess(in: folder, program: "shoppingd")
  }

  /// Builds on top of what was built for these tests, which leaves the page's own files to compile.
  ///
  /// Whoever runs the tests may hold the lock of that folder while they run.
  private func swift(_ command: String) throws {
    let scratch = URL(filePath: programs).deletingLastPathComponent().deletingLastPathComponent()
    let result = try run(
      [
        "swift", command, "--package-path", folder.path, "--scratch-path", scratch.path(),
        "--ignore-lock",
      ], within: .seconds(1_200))
    #expect(
      result.end == .code(0), "swift \(command)\n\(result.output.suffix(4_000))\n\(result.errors)")
  }
}
