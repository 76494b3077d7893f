import DuxJSON
import Foundation
import LoginServer
import Testing

/// The file that keeps users.
struct UserFileTests {
  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "login-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test func usersOutliveTheServerAndTokensDoNot() async throws {
    try await withFolder { folder in
      let path = folder.appending(path: "users.json").path()
      var session = JSON.null
      try await Harness.run(file: path) { server in
        session = try await server.signUp("ada@example.org", "correct horse")
      }
      try await Harness.run(file: path) { (server) async throws in
        #expect(try await server.signIn("ada@example.org", "correct horse").code == 0)
        #expect(try await server.signIn("ada@example.org", "wrong horse!").code == 32)
        #expect(try await server.refresh(session.refresh).code == 41)
        #expect(
          try await server.signUp("bob@example.org", "battery staple")["data"]?["user"]?["id"] == 2)
      }
    }
  }

  @Test func theFileHoldsSaltedHashesForTheOwnersEyesOnly() async throws {
    try await withFolder { folder in
      let path = folder.appending(path: "users.json").path()
      try await Harness.run(file: path) { server in
        _ = try await server.signUp("ada@example.org", "correct horse")
        _ = try await server.signUp("bob@example.org", "correct horse")
      }
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.contains("correct horse"))
      let users = try JSON(parsing: text)["users"]?.arrayValue.map { Array($0) } ?? []
      let hashes = users.compactMap { $0["password"]?.stringValue }
      #expect(hashes.count == 2 && hashes[0] != hashes[1])
      #expect(hashes.allSatisfy { $0.hasPrefix("$y$") })
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test(arguments: ["", "{", "{}", "[]", #"{"users":[{"id":1}]}"#])
  func aFileThatIsNoneOfUsersIsRefusedAndKept(_ text: String) async throws {
    try await withFolder { folder in
      let path = folder.appending(path: "users.json").path()
      try Data(text.utf8).write(to: URL(filePath: path))
      var settings = LoginServer.Settings()
      settings.file = path
      #expect { try LoginServer(settings) } throws: { "\($0)".hasPrefix(path) }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  @Test func aUserWhoCannotBeKeptIsNotAdded() async throws {
    try await withFolder { folder in
      let path = folder.appending(path: "missing/users.json").path()
      try await Harness.run(file: path) { (server) async throws in
        #expect(try await server.signUp("ada@example.org", "correct horse").code == 1)
        #expect(try await server.signIn("ada@example.org", "correct horse").code == 40)
      }
    }
  }
}
