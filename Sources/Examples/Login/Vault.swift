import Challenge
import Foundation

/// Where the daemon keeps what must not be in the state, the log and the outbox: the tokens, and the
/// verifier that only the daemon can use tickets with.
///
/// It is a folder that only the daemon's user can enter, apart from the daemon's data, with a file
/// for each session. Files survive a crash, so a session does too.
struct Vault: Sendable {
  /// What the login server gave for a session.
  struct Tokens: Codable, Equatable, Sendable {
    /// The request that they are the answer to: a request that is made again after a crash sees by it
    /// that it has been answered.
    let request: UUID
    let access: String
    let refresh: String
    let grant: Grant
  }

  let folder: URL

  /// The tokens of a session, if there are any.
  func tokens(of session: UUID) -> Tokens? {
    guard let data = try? Data(contentsOf: file(session.uuidString)) else { return nil }
    return try? JSONDecoder().decode(Tokens.self, from: data)
  }

  /// Keeps the tokens of a session.
  func keep(_ tokens: Tokens, of session: UUID) throws {
    try write(JSONEncoder().encode(tokens), to: session.uuidString)
  }

  /// Forgets the tokens of all sessions but some.
  func forgetAll(but sessions: [UUID]) throws {
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    let kept = Set(sessions.map(\.uuidString) + [Self.verifierName])
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where !kept.contains(name) {
      try FileManager.default.removeItem(at: file(name))
    }
  }

  /// The daemon's own secret, made when it is first asked for.
  func verifier() throws -> String {
    if let data = try? Data(contentsOf: file(Self.verifierName)), !data.isEmpty {
      return String(decoding: data, as: UTF8.self)
    }
    var random = SystemRandomNumberGenerator()
    let verifier = (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
    try write(Data(verifier.utf8), to: Self.verifierName)
    return verifier
  }

  /// What people ask for tickets with; nothing where the vault can't be used.
  func challenge() -> String? {
    (try? verifier()).map { Challenge.of($0) }
  }

  private static let verifierName = "verifier"

  private func file(_ name: String) -> URL { folder.appending(path: name) }

  /// Puts a whole file in the place of another, so that a crash leaves one of them.
  private func write(_ data: Data, to name: String) throws {
    let files = FileManager.default
    try files.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let new = file(name + ".new")
    guard
      files.createFile(atPath: new.path, contents: data, attributes: [.posixPermissions: 0o600]),
      rename(new.path, file(name).path) == 0
    else { throw CocoaError(.fileWriteUnknown) }
  }
}
