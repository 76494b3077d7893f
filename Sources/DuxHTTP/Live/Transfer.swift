import Foundation
import FoundationNetworking
import Synchronization

/// One request on its way and the answer as far as it has come.
///
/// Whatever comes first ends it: the whole answer, a failure, too long a body, or the cancelling of
/// the task that waits. The URLSession task is then cancelled, and what it still says is not heard.
final class Transfer: Sendable {
  enum Outcome: Sendable {
    case success(HTTPResponse)
    case failure(HTTPError.Reason)
  }

  private struct State {
    var waiter: CheckedContinuation<Outcome, Never>?
    var outcome: Outcome?
    var head: HTTPURLResponse?
    var body = Data()
  }

  private let request: HTTPRequest
  private let state = Mutex(State())

  init(_ request: HTTPRequest) {
    self.request = request
  }

  /// Sends the request and waits for the end.
  func run() async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let outcome = state.withLock { state in
          if state.outcome == nil { state.waiter = waiter }
          return state.outcome
        }
        if let outcome {
          waiter.resume(returning: outcome)
        } else {
          LiveSession.shared.begin(self, request.urlRequest)
        }
      }
    } onCancel: {
      end(.failure(.cancelled))
    }
  }

  /// Whether there is nothing more to wait for.
  var hasEnded: Bool { state.withLock { $0.outcome != nil } }

  /// Takes the status and the headers.
  func receive(_ head: HTTPURLResponse) {
    state.withLock { $0.head = head }
    if head.expectedContentLength > Int64(request.maximumBodyBytes), request.method != .head {
      end(.failure(.tooLarge(maximumBytes: request.maximumBodyBytes)))
    }
  }

  /// Takes a part of the body.
  func receive(_ data: Data) {
    let isTooLarge = state.withLock { state in
      guard state.outcome == nil else { return false }
      guard data.count <= request.maximumBodyBytes - state.body.count else { return true }
      state.body.append(data)
      return false
    }
    if isTooLarge { end(.failure(.tooLarge(maximumBytes: request.maximumBodyBytes))) }
  }

  /// Ends with what has been received.
  func complete() {
    let (head, body) = state.withLock { ($0.head, $0.body) }
    guard let head else { return end(.failure(.garbage("no HTTP answer"))) }
    end(
      .success(
        HTTPResponse(
          status: head.statusCode, headers: HTTPHeaders(head), body: body, request: request)))
  }

  /// Ends the transfer; only the first end counts.
  func end(_ outcome: Outcome) {
    let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      state.body = Data()
      defer { state.waiter = nil }
      return state.waiter
    }
    guard let waiter else { return }
    waiter.resume(returning: outcome)
    LiveSession.shared.end(self)
  }
}

extension HTTPHeaders {
  fileprivate init(_ head: HTTPURLResponse) {
    self.init()
    for (name, value) in head.allHeaderFields {
      if let name = name as? String, let value = value as? String { self[name] = value }
    }
  }
}

extension HTTPRequest {
  fileprivate var urlRequest: URLRequest {
    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    request.httpMethod = method.rawValue
    request.httpBody = body.flatMap { $0.isEmpty ? nil : $0 }
    request.httpShouldHandleCookies = false
    // The deadline is kept by who waits for the transfer; URLSession's own, which restarts with
    // every byte, must not come before it.
    request.timeoutInterval = Self.noInterval
    for name in headers.names { request.setValue(headers[name], forHTTPHeaderField: name) }
    if request.httpBody != nil, headers["content-type"] == nil {
      request.setValue("application/octet-stream", forHTTPHeaderField: "content-type")
    }
    return request
  }

  private static let noInterval: TimeInterval = 400 * 86_400
}
