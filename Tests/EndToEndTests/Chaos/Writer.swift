import DuxJSON

/// A client that writes exactly once: it keeps what is unconfirmed, and sends it again after each
/// reconnect from the smallest number on.
final class Writer: Participant {
  let name: String
  var socket: LineSocket?
  /// What it was told, in order, repeats included.
  private(set) var told: [Told] = []
  /// The numbers that an acknowledged dispatch has put into its list.
  private(set) var appended: [Int64] = []
  /// Numbers whose refusal said that nothing was done.
  private(set) var transient: Set<Int64> = []
  /// How often it was told that the disk is full.
  private(set) var fullCount = 0

  private var random: Seed
  private let window: Int
  private var unmade: Int
  private var lastN: Int64 = 0
  private var pending: [(n: Int64, body: JSON)] = []
  private var settled: [(n: Int64, body: JSON)] = []

  /// - Parameters:
  ///   - name: the client's name, and that of its list in the state.
  ///   - seed: what its dispatches are made from.
  ///   - count: how many dispatches it makes.
  ///   - window: how many of them may be unconfirmed.
  init(name: String, seed: UInt64, count: Int, window: Int = 8) {
    self.name = name
    self.window = window
    random = Seed(seed)
    unmade = count
  }

  var opening: [JSON] {
    fill()
    return pending.map(\.body)
  }

  var isDone: Bool { unmade == 0 && pending.isEmpty }

  func disconnected() {}

  func take(_ message: JSON) throws {
    switch message["op"]?.stringValue {
    case "welcome": try takeWelcome(message)
    case "ack", "reject": try takeOutcome(message)
    default: throw Unexpected("\(name) got \(message)")
    }
    let count = pending.count
    fill()
    pending[count...].forEach { send($0.body) }
  }

  private func takeWelcome(_ message: JSON) throws {
    let known = message["lastN"]?.integerValue ?? -1
    let told = settled.last?.n ?? 0
    guard known >= told, known <= lastN else {
      throw Unexpected("\(name) was welcomed at n \(known), settled \(told), sent \(lastN)")
    }
  }

  private func takeOutcome(_ message: JSON) throws {
    guard let n = message["n"]?.integerValue else { throw Unexpected("no n: \(message)") }
    let index = pending.firstIndex { $0.n == n }
    if message["final"] == false {
      guard let index else { throw Unexpected("\(name) sent \(n) once, got \(message)") }
      if message["code"] == "storage_full" { fullCount += 1 }
      transient.insert(n)
      pending.remove(at: index)
      unmade += 1
      return
    }
    told.append(Told(client: name, n: n, answer: message))
    if let index {
      let one = pending.remove(at: index)
      settled.append(one)
      if message["op"] == "ack", one.body["actions"]?.arrayValue?[0]["type"] == "doc/append" {
        appended.append(n)
      }
      if Int.random(in: 0..<8, using: &random) == 0 { retrySettled() }
    } else if message["duplicate"] != true {
      throw Unexpected("\(name) sent \(n) again, got \(message)")
    }
  }

  /// Sends something again that was answered long ago.
  private func retrySettled() {
    if let old = settled.randomElement(using: &random) { send(old.body) }
  }

  private func fill() {
    while pending.count < window && unmade > 0 {
      unmade -= 1
      lastN += 1
      pending.append((lastN, makeDispatch()))
    }
  }

  private func makeDispatch() -> JSON {
    let key = "/keys/\(Int.random(in: 0..<12, using: &random))"
    let value = JSON.integer(Int64.random(in: 0..<4, using: &random))
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: return .dispatch([.increment("/count")], n: lastN)
    case 4, 5: return .dispatch([.append("/lists/\(name)", .integer(lastN))], n: lastN)
    case 6: return .dispatch([.set(key, value)], n: lastN)
    case 7: return .dispatch([.remove(key)], n: lastN)
    case 8:
      return .dispatch(
        [.set("/pair/left", .integer(lastN)), .set("/pair/right", .integer(lastN))], n: lastN)
    default:
      return .dispatch([.set(key, .string(name))], n: lastN)
        .with("if", [["path": .string(key), "missing": true]])
    }
  }

  /// The state that the dispatches expect.
  static func initialState(_ writers: [Writer]) -> JSON {
    var lists: JSONObject = [:]
    for writer in writers { lists[writer.name] = [] }
    return [
      "count": 0, "keys": [:], "pair": ["left": 0, "right": 0], "lists": .object(lists),
    ]
  }
}
