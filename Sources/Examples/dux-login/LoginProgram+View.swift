import DuxClient
import DuxStore
import DuxTerminal
import Foundation
import Login

extension LoginProgram {
  func view(of shared: Shared<State>, in size: Size) -> some View {
    let keys = shared.state.session == nil ? LoginKeys.form.help : LoginKeys.home.help
    let ticket = errand.look()
    return VStack {
      if let session = shared.state.session {
        HomeView(session: session, state: shared.state, nowMs: shared.nowMs)
          .padding(horizontal: 2).filling().priority(1)
      } else {
        form(shared, ticket).padding(horizontal: 2).filling().priority(1)
      }
      if let refusal { Banner(refusal, .failure) }
      KeyHints(keys).padding(horizontal: 1)
      StatusLine("dux-login", shared, who: shared.presence.map(\.client))
    }
    .sheet("Keys") { if isHelpShown { KeyHelp(keys) } }
  }

  private func form(_ shared: Shared<State>, _ ticket: TicketErrand.Status) -> some View {
    VStack {
      Tabs(Way.allCases.map(\.rawValue), selected: Way.allCases.firstIndex(of: way) ?? 0)
      Text("")
      field("E-mail", email, "name@example.org", .email)
      Text("")
      field("Password", password, "", .password)
      Text("")
      progress(shared, ticket)
    }
  }

  private func field(
    _ title: String, _ draft: Draft, _ placeholder: String, _ field: Field
  ) -> some View {
    HStack {
      Text(title).role(focus.field == field ? .accent : .normal).frame(width: 10)
      TextField(
        draft, placeholder: placeholder, entry: field == .password ? .secure : .plain,
        isFocused: focus.field == field && !isHelpShown
      ).frame(width: .flexible(min: 2, ideal: 40))
    }
  }

  /// How far the sign-in has got, or why it has not.
  @ViewBuilder private func progress(
    _ shared: Shared<State>, _ ticket: TicketErrand.Status
  ) -> ViewGroup {
    switch ticket {
    case .running:
      WaitLine(text: "the password goes to the login server for a ticket", nowMs: shared.nowMs)
    case .failed(let failure): Banner(failure.message, .failure)
    case .idle:
      if let request = shared.state.authentication {
        WaitLine(
          text: request.isStarted
            ? "the daemon signs in with the ticket" : "the daemon has the ticket",
          nowMs: shared.nowMs)
      } else if let notice = shared.state.notice {
        Banner(notice.message, .failure)
      }
    }
  }
}

/// The page of who is signed in.
struct HomeView: View {
  let session: Session
  let state: LoginApp.State
  let nowMs: Int64

  var body: some View {
    VStack {
      if let user = session.user {
        Text("Welcome, \(user.email)").bold().truncated()
        Text("account \(user.id)").role(.secondary).truncated()
      } else {
        Text("Welcome").bold()
        Text("whose account it is, is not known yet").role(.secondary).truncated()
      }
      Text("")
      Text(access).truncated()
      Text("")
      if state.renewal != nil { WaitLine(text: "the access is being renewed", nowMs: nowMs) }
      if state.profile != nil {
        WaitLine(text: "the login server is asked who it is", nowMs: nowMs)
      }
      if let notice = state.notice { Banner(notice.message, .failure) }
    }
  }

  private var access: String {
    let left = session.expires.timeIntervalSince1970 - TimeInterval(nowMs) / 1_000
    return left > 0
      ? "The access is good for \(span(left)) more; the daemon renews it before."
      : "The access is over."
  }

  private func span(_ seconds: TimeInterval) -> String {
    switch seconds.rounded(.up) {
    case let seconds where seconds < 120: "\(Int(seconds)) s"
    case let seconds where seconds < 7_200: "\(Int(seconds / 60)) min"
    case let seconds where seconds < 1e9: "\(Int(seconds / 3_600)) h"
    default: "a long time"
    }
  }
}

/// That something is waited for.
struct WaitLine: View {
  let text: String
  let nowMs: Int64

  var body: some View {
    HStack {
      Spinner(nowMs: nowMs)
      Text(text).role(.secondary).truncated()
    }
    .padding(horizontal: 1)
  }
}
