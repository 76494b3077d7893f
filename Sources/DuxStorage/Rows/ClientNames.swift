import Glibc

/// A client's name as a key: names are the same when their bytes are, while Swift's strings also
/// count two spellings of one letter as the same.
struct ClientName: Hashable {
  let string: String

  init(_ string: String) {
    self.string = string
  }

  static func == (left: Self, right: Self) -> Bool {
    isSame(left.string, right.string)
  }

  /// Whether two names are the same, byte for byte.
  static func isSame(_ left: borrowing String, _ right: borrowing String) -> Bool {
    let isSame = left.utf8.withContiguousStorageIfAvailable { first in
      right.utf8.withContiguousStorageIfAvailable { second in
        guard first.count == second.count else { return false }
        guard let left = first.baseAddress, let right = second.baseAddress else { return true }
        return memcmp(left, right, first.count) == 0
      }
    }
    if case .some(.some(let isSame)) = isSame { return isSame }
    return left.utf8.elementsEqual(right.utf8)
  }

  func hash(into hasher: inout Hasher) {
    let done: Void? = string.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if done == nil { for byte in string.utf8 { hasher.combine(byte) } }
  }
}

/// The numbers that stand for clients in the database, with the known ones kept in memory.
final class ClientNames {
  /// How many names are kept; when there are more, all are forgotten and looked up anew.
  private static let capacity = 65_536

  private let find: Statement
  private let add: Statement
  private var known: [ClientName: Int64] = [:]
  /// The name asked for last: steps of one client come one after another.
  private var lastName = ""
  private var lastID: Int64?

  init(_ connection: Connection) throws(StorageError) {
    self.find = try connection.prepare("SELECT id FROM clients WHERE name=?1")
    self.add = try connection.prepare("INSERT INTO clients(name) VALUES(?1) RETURNING id")
  }

  /// The client's number, `nil` for one never seen.
  func existing(_ name: String) throws(StorageError) -> Int64? {
    if let lastID, ClientName.isSame(lastName, name) { return lastID }
    if let id = known[ClientName(name)] {
      (lastName, lastID) = (name, id)
      return id
    }
    guard let id = try run(find, name) else { return nil }
    remember(name, id)
    return id
  }

  /// The client's number, given to it now if it has none; call it within a transaction, and
  /// `forget()` when that fails.
  func id(_ name: String) throws(StorageError) -> Int64 {
    if let id = try existing(name) { return id }
    let id = try run(add, name) ?? 0
    remember(name, id)
    return id
  }

  /// Drops what is in memory, because a transaction that may have added names was undone.
  func forget() {
    lastID = nil
    known.removeAll(keepingCapacity: true)
  }

  private func remember(_ name: String, _ id: Int64) {
    if known.count >= Self.capacity {
      known.removeAll(keepingCapacity: true)
    }
    known[ClientName(name)] = id
  }

  private func run(_ statement: Statement, _ name: String) throws(StorageError) -> Int64? {
    var copy = name
    let result: Result<Int64?, StorageError> = copy.withUTF8 { buffer in
      statement.bind(1, UnsafeRawBufferPointer(buffer))
      return Result { () throws(StorageError) in
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let id = statement.integer(0)
        // An INSERT … RETURNING is done only after the step behind its row.
        while try statement.step() {}
        return id
      }
    }
    return try result.get()
  }
}
