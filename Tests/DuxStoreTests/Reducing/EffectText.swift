@testable import DuxStore

/// What an effect sends and under which ids, as `scope: id = action`.
func described<Action>(_ effect: Effect<Action>) -> [String] {
  described(effect.node, [], "-")
}

private func described<Action>(
  _ node: Effect<Action>.Node, _ scope: [String], _ id: String
) -> [String] {
  let place = scope.joined(separator: "/")
  return switch node {
  case .send(let action): ["\(place): \(id) = \(short(action))"]
  case .merge(let nodes), .concatenate(let nodes): nodes.flatMap { described($0, scope, id) }
  case .controlled(let node, let id, _): described(node, scope, id.text)
  case .scoped(let node, let names): described(node, scope + names, id)
  case .detached(let node): described(node, [], id)
  case .cancel(let id): ["\(place): cancel \(id)"]
  case .command(let request): ["\(place): \(id) ! \(request.name)"]
  default: []
  }
}

/// The cases on the way to the innermost one, as `right.clear`.
private func short(_ action: Any) -> String {
  let mirror = Mirror(reflecting: action)
  guard mirror.displayStyle == .enum, let child = mirror.children.first else {
    return mirror.displayStyle == .tuple
      ? mirror.children.map { short($0.value) }.joined(separator: ".") : "\(action)"
  }
  return "\(child.label ?? "").\(short(child.value))"
}
