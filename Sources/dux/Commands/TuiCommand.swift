import DuxCommandLine

/// `dux tui`: everything about a daemon on one screen.
enum TuiCommand {
  static let tool = Tool(
    command: Command(
      name: "tui", summary: "Explore a daemon live, on the whole screen.",
      discussion: """
        Shows the state as a tree, in which what changes is marked: + new, ~ replaced, - something is \
        gone, · something below changed. Beside it run the log, with what each step changed, who is \
        here, and the effects; on a narrow terminal one of them at a time, Tab goes on to the next. \
        '?' shows all keys, '/' finds names, paths and values, ':' dispatches an action: a type and its \
        payload, an action or an array of them as 'dux dispatch' reads it, or, where the daemon serves \
        the app 'document', 'set PATH VALUE' and the like. Tab completes types and paths. 't' shows the \
        state as it was after an earlier step, for this terminal alone.

        It needs no daemon to start, and goes on by itself when one comes back. Lines that were \
        dispatched are kept in $XDG_STATE_HOME/dux/history, else ~/.local/state/dux/history. Copying \
        needs a terminal that lets programs write to the clipboard (OSC 52).
        """,
      examples: [
        Example("dux tui", summary: "Explore the daemon on this machine"),
        Example("dux tui --connect db1:7389", summary: "Explore another one"),
      ])
  ) { (call) throws(Failure) in
    try Exploring(call, Environment.read(HistoryFile.variables)).run()
  }
}
