import DuxTerminal
import Foundation
import Login

/// The terminal's program: a form for who is not signed in, and a page for who is.
@main
struct Main {
  static func main() {
    FrontEnd.main(
      name: "dux-login",
      summary: "Sign in, for all terminals of one daemon",
      discussion: """
        Needs a daemon that serves it: duxd --app login. The password goes to the login server, \
        \(TicketDesk.usualServer) or what DUX_LOGIN says; the daemon gets but a ticket for it, and the \
        other terminals nothing.
        """,
      // Only the daemon works with the login server and the vault.
      app: LoginApp(server: URL(filePath: "/"), vault: URL(filePath: "/")),
      program: LoginProgram(desk: TicketDesk(server: server)))
  }

  private static var server: URL {
    let text = ProcessInfo.processInfo.environment["DUX_LOGIN"] ?? ""
    guard let url = URL(string: text.isEmpty ? TicketDesk.usualServer : text) else {
      try? FileHandle.standardError.write(
        contentsOf: Data("dux-login: DUX_LOGIN is no URL: \(text)\n".utf8))
      exit(64)
    }
    return url
  }
}
