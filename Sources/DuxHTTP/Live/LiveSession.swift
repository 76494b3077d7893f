import Foundation
import FoundationNetworking
import Synchronization

/// The URLSession of the live client, and which of its tasks is whose transfer.
final class LiveSession: NSObject, URLSessionDataDelegate, Sendable {
  /// One for the process: who shares it notices nothing but connections that are open already.
  static let shared = LiveSession()

  private struct State {
    var session: URLSession?
    var transfers: [Int: Transfer] = [:]
    var tasks: [ObjectIdentifier: URLSessionDataTask] = [:]
  }

  private let state = Mutex(State())
  /// Where tasks are begun and ended: URLSession blocks its caller meanwhile, for as long as it is
  /// busy with the bytes of a fast server.
  private let control = DispatchQueue(label: "DuxHTTP.control")

  private static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.httpMaximumConnectionsPerHost = 64
    return configuration
  }

  /// Begins a transfer, unless it ends first.
  func begin(_ transfer: Transfer, _ request: URLRequest) {
    control.async { [self] in
      guard !transfer.hasEnded else { return }
      let session = openSession()
      let task = session.dataTask(with: request)
      state.withLock { state in
        state.transfers[task.taskIdentifier] = transfer
        state.tasks[ObjectIdentifier(transfer)] = task
      }
      task.resume()
    }
  }

  /// Ends the task of a transfer that is over.
  func end(_ transfer: Transfer) {
    control.async { [self] in
      let task = state.withLock { state in
        let task = state.tasks.removeValue(forKey: ObjectIdentifier(transfer))
        if let task { state.transfers[task.taskIdentifier] = nil }
        return task
      }
      task?.cancel()
    }
  }

  private func openSession() -> URLSession {
    if let session = state.withLock({ $0.session }) { return session }
    let session = URLSession(
      configuration: Self.configuration, delegate: self, delegateQueue: ImmediateQueue())
    state.withLock { $0.session = session }
    return session
  }

  private func transfer(of task: URLSessionTask) -> Transfer? {
    state.withLock { $0.transfers[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    if let head = response as? HTTPURLResponse { transfer(of: dataTask)?.receive(head) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    transfer(of: dataTask)?.receive(data)
  }

  /// Takes a redirect for the answer it is; who asked decides whether to follow it.
  ///
  /// The handler is never called: when the task was cancelled meanwhile, calling it ends the process
  /// (`_HTTPURLProtocol.didCompleteRedirectCallback`).
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    let transfer = transfer(of: task)
    transfer?.receive(response)
    transfer?.complete()
  }

  /// Takes a demand for credentials for the answer it is: the whole of it has come by now.
  ///
  /// URLSession would wait for ever for credentials that it does not have.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    transfer(of: task)?.complete()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let transfer = transfer(of: task) else { return }
    if let error {
      transfer.end(.failure(HTTPError.Reason(error)))
    } else {
      // A redirect that names no place to go to comes only here.
      if let head = task.response as? HTTPURLResponse { transfer.receive(head) }
      transfer.complete()
    }
  }
}

/// A queue that runs what it is given at once.
///
/// The delegate's methods take no time, and this way they are called while libcurl hands over the
/// bytes. On a queue of its own, bytes pile up unseen while a server sends faster than the queue can
/// take operations, and the longer that lasts the longer it takes to stop.
private final class ImmediateQueue: OperationQueue, @unchecked Sendable {
  // Unchecked as its superclass is; it adds no state.
  override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}

extension HTTPError.Reason {
  /// What an error of URLSession means; its own texts may quote the whole URL and are not used.
  init(_ error: any Error) {
    let error = error as NSError
    let code = URLError.Code(rawValue: error.code)
    switch code {
    case .cannotFindHost, .dnsLookupFailed: self = .unreachable("the host is not known")
    case .cannotConnectToHost: self = .unreachable("no server accepts the connection")
    case .networkConnectionLost:
      self = .unreachable("the connection was lost before the answer was whole")
    case .timedOut: self = .unreachable("the server does not answer")
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected:
      self = .unreachable("no secure connection (\(error.code))")
    case .cancelled: self = .cancelled
    case .unknown: self = .unreachable("the answer broke off")
    // The scheme of the request is http or https, so it is the answer that has none of them.
    case .unsupportedURL, .badServerResponse, .cannotParseResponse, .cannotDecodeRawData,
      .cannotDecodeContentData:
      self = .garbage("the answer is no HTTP")
    default: self = .unreachable("the exchange failed (\(error.code))")
    }
  }
}
