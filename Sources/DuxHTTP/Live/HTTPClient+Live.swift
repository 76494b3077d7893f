import Foundation

extension HTTPClient {
  /// The client that speaks over the network, on Foundation's URLSession.
  ///
  /// It keeps neither cookies nor answers nor credentials, and follows up to ten redirects. Who waits
  /// is answered in time whatever the server does: at the deadline, on being cancelled, or as soon as
  /// the body is longer than the request allows.
  ///
  /// Three things URLSession does not let it prevent. A redirect to a host that is none once it is
  /// percent-decoded (`Location: //%2f/`) ends the process. The body of a redirect is collected unseen,
  /// until the deadline. And a server that sends faster than this process can read, over loopback that
  /// is, keeps URLSession from closing the connection and from serving others until it pauses.
  public static let live = HTTPClient { (request) throws(HTTPError) in
    try await LiveExchange(request).run()
  }
}

/// One request over the network, with the redirects that it leads to.
private struct LiveExchange {
  static let maximumRedirects = 10
  /// Later than any timeout that means something, and within what clocks can add.
  static let longestTimeout: Duration = .seconds(365 * 86_400)

  let original: HTTPRequest
  let deadline: ContinuousClock.Instant

  init(_ request: HTTPRequest) {
    original = request
    deadline = .now.advanced(by: min(max(request.timeout, .zero), Self.longestTimeout))
  }

  func run() async throws(HTTPError) -> HTTPResponse {
    var request = original
    for _ in 0...Self.maximumRedirects {
      try request.checkValidity()
      let response = try await transfer(request)
      guard let next = try request.redirected(by: response) else { return response }
      request = next
    }
    throw HTTPError(original, .tooManyRedirects(maximum: Self.maximumRedirects))
  }

  private func transfer(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let transfer = Transfer(request)
    let outcome = await withTaskGroup(of: Transfer.Outcome.self) { group in
      group.addTask { await transfer.run() }
      group.addTask {
        do {
          try await Task.sleep(until: deadline)
          return .failure(.timedOut(after: original.timeout))
        } catch {
          return .failure(.cancelled)
        }
      }
      let first = await group.next()
      group.cancelAll()
      return first ?? .failure(.cancelled)
    }
    switch outcome {
    case .success(let response): return response
    case .failure(let reason): throw HTTPError(request, reason)
    }
  }
}
