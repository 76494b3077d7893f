import Foundation

/// The public test data beside the package, which a bare checkout does not have.
enum Vectors {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/vectors")

  static var arePresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

  /// The names of the JSON files in a folder of the test data.
  static func names(in name: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: name).path)
    return (names ?? []).filter { $0.hasSuffix(".json") }.sorted()
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }

  /// The texts of the elements of an array, split without parsing: some of them are no I-JSON.
  static func elements(of array: [UInt8]) -> [ArraySlice<UInt8>] {
    var elements: [ArraySlice<UInt8>] = []
    var depth = 0
    var start = 0
    var isInString = false
    var isEscaped = false
    for (index, byte) in array.enumerated() {
      if isInString {
        if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth == 2 { start = index }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 2 { elements.append(array[start...index]) }
        depth -= 1
      default: break
      }
    }
    return elements
  }
}
