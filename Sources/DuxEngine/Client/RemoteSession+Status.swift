import DuxJSON
import DuxLog
import DuxProtocol

/// How the connection is.
extension RemoteSession {
  /// What is known of the connection beside the link itself.
  struct Health {
    /// When the last connection was lost, or fell silent: wall clock in ms.
    var lostMs: Int64?
    /// Why the last attempt failed, and when the next one is.
    var failure: (reason: String, retryAtMs: Int64)?
    var isSilent = false
    var isLive = false
    var endReason: EndReason?
    var told: ConnectionStatus?

    mutating func lose(_ reason: String, retryAtMs: Int64, wallMs: Int64) {
      if isLive {
        if !isSilent { lostMs = wallMs }
      } else {
        failure = (reason, retryAtMs)
      }
      isLive = false
      isSilent = false
    }

    mutating func fallSilent(wallMs: Int64) {
      guard isLive, !isSilent else { return }
      isSilent = true
      lostMs = wallMs
    }

    mutating func suspend() {
      failure = nil
    }

    mutating func becomeLive() {
      isLive = true
      lostMs = nil
      failure = nil
    }
  }

  /// How the connection is, for people.
  package var connectionStatus: ConnectionStatus {
    if let reason = health.endReason { return .ended(reason) }
    if health.isLive, !health.isSilent { return .live }
    if let failure = health.failure {
      return .offline(
        sinceMs: health.lostMs, reason: failure.reason, retryAtMs: failure.retryAtMs)
    }
    return health.lostMs.map { .stale(sinceMs: $0) } ?? .connecting
  }

  func tellStatus() {
    if isLive, !health.isLive, subscriptions.values.allSatisfy(\.isInStep) { health.becomeLive() }
    let status = connectionStatus
    guard status != health.told else { return }
    health.told = status
    tell(.status(status))
  }

  /// Why a daemon can't be served by this client; `nil` when it can.
  func fault(of welcome: ServerMessage.Welcome) -> EndReason? {
    let version = welcome.json["protocol"]?.integerValue
    if let version, version != ProtocolVersion.current {
      return EndReason(
        code: ErrorCode.unsupportedProtocol.rawValue,
        message:
          "the daemon speaks protocol \(version), this client \(ProtocolVersion.current)")
    }
    let app = welcome.json["app"]?.stringValue ?? ""
    if let expected = configuration.expectedApp, app != expected {
      return EndReason(
        code: EndReason.wrongApp,
        message: "the daemon serves the app \"\(app)\", this program is for \"\(expected)\"")
    }
    return nil
  }

  /// A refused greeting in words that name both sides' versions.
  static func explained(_ failure: ServerMessage.Failure) -> ServerMessage.Failure {
    guard failure.code == ErrorCode.unsupportedProtocol.rawValue else { return failure }
    let versions = failure.json["supported"]?.arrayValue?.compactMap(\.integerValue) ?? []
    guard !versions.isEmpty else { return failure }
    var failure = failure
    failure.message =
      "the daemon speaks protocol \(versions.map(String.init).joined(separator: ", ")), this client"
      + " \(ProtocolVersion.current)"
    return failure
  }
}

extension RemoteSession.Subscribing {
  /// Whether the copy holds all that the daemon has told on this connection.
  var isInStep: Bool {
    if case .inStep = answer { true } else { false }
  }

  mutating func advance(to seq: SequenceNumber) {
    if case .resuming(let head) = answer, seq >= head { answer = .inStep }
  }
}
