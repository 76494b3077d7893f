public import DuxClient

/// The program's line at the border of the screen: how the connection is, what is on its way, who is
/// here.
public struct StatusLine: View {
  private let status: ConnectionStatus
  private let pendingCount: Int
  private let who: [String]
  private let nowMs: Int64
  private let title: String

  /// Says how a program stands with the state it shares: under a title of its own, with the names of
  /// all who are here, at a time of the wall clock.
  public init(
    _ title: String = "", status: ConnectionStatus, pendingCount: Int = 0, who: [String] = [],
    nowMs: Int64 = 0
  ) {
    self.title = title
    self.status = status
    self.pendingCount = pendingCount
    self.who = who
    self.nowMs = nowMs
  }

  /// Says it of what a program draws from.
  public init<State>(_ title: String = "", _ shared: Shared<State>, who: [String] = []) {
    self.init(
      title, status: shared.status, pendingCount: shared.pendingCount, who: who,
      nowMs: shared.nowMs)
  }

  /// The line.
  public var body: some View {
    HStack(spacing: 2) {
      if !title.isEmpty { Text(title).bold().truncated().priority(1) }
      // Where it is narrow, why the connection is away gives way to what is at stake because of it.
      Text(ConnectionText(status, nowMs: nowMs).text).role(role).truncated()
      if pendingCount > 0 {
        Text("↑\(pendingCount) pending").role(.warning).truncated().priority(2)
      }
      Spacer()
      // Without a connection nobody knows who is here.
      if !who.isEmpty, status == .live { Text(people).truncated().priority(-1) }
    }
    .padding(horizontal: 1)
    .fillingWidth()
    .background(.status)
  }

  private var role: Role {
    switch status {
    case .live: .normal
    case .connecting, .stale: .warning
    case .offline, .ended: .failure
    }
  }

  private var people: String {
    let shown = who.prefix(4).joined(separator: ", ")
    return who.count > 4 ? "\(shown) +\(who.count - 4)" : shown
  }
}

/// A connection's state in words, with a sign of its own for each.
struct ConnectionText {
  let text: String

  init(_ status: ConnectionStatus, nowMs: Int64) {
    switch status {
    case .connecting: text = "◌ connecting"
    case .live: text = "● live"
    case .stale(let since): text = "◐ stale for \(Duration(since, nowMs))"
    case .offline(let since, let reason, let retryAt):
      let away = since.map { " for \(Duration($0, nowMs))" } ?? ""
      text = "○ offline\(away): \(reason), next try in \(Duration(nowMs, retryAt))"
    case .ended(let reason): text = "■ ended: \(reason.message)"
    }
  }

  /// A span of time as people say it.
  private struct Duration: CustomStringConvertible {
    let description: String

    init(_ start: Int64, _ end: Int64) {
      let (length, overflow) = end.subtractingReportingOverflow(start)
      let seconds = overflow ? 0 : max(length, 0) / 1_000
      description =
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3_600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) d"
        }
    }
  }
}
