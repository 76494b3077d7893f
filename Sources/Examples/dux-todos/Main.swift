import DuxTerminal
import Todos

/// The terminal's program: the list that all share, and what is typed here.
@main
struct Main {
  static func main() {
    FrontEnd.main(
      name: "dux-todos",
      summary: "Share a list of things to do",
      discussion: """
        Needs a daemon that serves it: duxd --app todos. What is typed is this terminal's until Enter; \
        which todos are shown, and what u takes back, too.
        """,
      app: TodosApp(), program: TodosProgram())
  }
}
