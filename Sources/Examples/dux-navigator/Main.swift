import DuxTerminal
import Navigator

/// The terminal's program: it shows where this client stands, and takes it further.
@main
struct Main {
  static func main() {
    FrontEnd.main(
      name: "dux-navigator",
      summary: "Go through the screens of the app navigator, alone or together",
      discussion: """
        Needs a daemon that serves it: duxd --app navigator. Each client has screens of its own, by its \
        name; f follows another, or goes along with all who follow the same shared screens.
        """,
      app: NavigatorApp(), program: NavigatorProgram())
  }
}
