import Challenge
import ExampleHTTP
import Synchronization

/// The answers to requests that carry an `Idempotency-Key`: whoever was cut off asks again with the
/// same key, and gets the same answer.
///
/// A key stands for one request; with another body it is refused, so that knowing the key alone is
/// of no use.
final class Replies: Sendable {
  static let lifetime: Duration = .seconds(600)

  private struct Entry: Sendable {
    let digest: [UInt8]
    let reply: Task<ServerResponse, Never>
    let expiry: ContinuousClock.Instant
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// The answer that the request was given before, or what `answer` makes now; nothing where the key
  /// stands for another request.
  func reply(
    to request: ServerRequest, now: ContinuousClock.Instant,
    by answer: @escaping @Sendable () async -> ServerResponse
  ) async -> ServerResponse? {
    guard let key = request.headers["idempotency-key"] else { return await answer() }
    let digest = SHA256.digest(of: Array(request.path.utf8) + [0] + request.body)
    let entry = entries.withLock { entries in
      entries = entries.filter { $0.value.expiry > now }
      // A task of its own: who asked first may be gone before the answer is there.
      let entry =
        entries[key]
        ?? Entry(digest: digest, reply: Task { await answer() }, expiry: now + Self.lifetime)
      entries[key] = entry
      return entry
    }
    return entry.digest == digest ? await entry.reply.value : nil
  }
}
