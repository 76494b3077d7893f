import Foundation

/// A folder of a test's own, removed with it.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/dux-e2e-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    guard let made else { throw SystemFailure("mkdtemp") }
    path = made
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a name in it.
  func callAsFunction(_ name: String) -> String {
    path + "/" + name
  }
}

/// A system call that did not do what a test needs.
struct SystemFailure: Error, CustomStringConvertible {
  let description: String

  init(_ call: String, _ code: Int32 = errno) {
    description = "\(call): \(String(cString: strerror(code)))"
  }
}

/// A server or program that did something else than it should.
struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
