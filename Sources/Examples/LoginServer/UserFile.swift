import DuxJSON
import Foundation
import Glibc

/// The file that keeps the users, as JSON: addresses and hashes, no password and no token.
struct UserFile: Sendable {
  let path: String

  /// Why the file can't be used.
  struct Failure: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path): \(reason)" }
  }

  /// The users in the file; none where there is no file yet.
  func read() throws(Failure) -> [Accounts.User] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(path: path, reason: "it cannot be read")
    }
    let json: JSON
    do throws(JSONParseError) {
      json = try JSON(parsing: [UInt8](data))
    } catch {
      throw Failure(path: path, reason: "it is no JSON, \(error)")
    }
    let entries = json["users"]?.arrayValue.map { Array($0) } ?? []
    let users = entries.compactMap { entry -> Accounts.User? in
      guard let id = entry["id"]?.integerValue, let email = entry["email"]?.stringValue,
        let password = entry["password"]?.stringValue
      else { return nil }
      return Accounts.User(id: Int(id), email: email, password: PasswordHash(text: password))
    }
    guard json["users"] != nil, users.count == entries.count else {
      throw Failure(path: path, reason: "it is not a file of users")
    }
    return users
  }

  /// Replaces the file with these users; only the owner may read it.
  func write(_ users: [Accounts.User]) throws(Failure) {
    let entries = users.map { user -> JSON in
      [
        "id": .integer(Int64(user.id)), "email": .string(user.email),
        "password": .string(user.password.text),
      ]
    }
    let json: JSON = ["users": .array(JSONArray(entries))]
    let new = path + ".new"
    let isWritten = FileManager.default.createFile(
      atPath: new, contents: Data(json.bytes), attributes: [.posixPermissions: 0o600])
    guard isWritten, rename(new, path) == 0 else {
      throw Failure(path: path, reason: "it cannot be written")
    }
  }
}
