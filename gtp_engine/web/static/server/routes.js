// The address of the page and the history of the browser.

/** The target of an address, from its part after #. */
export function parseAddress(hash) {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (key) => (/^\d+$/.test(parameters.get(key) ?? "") ? Number(parameters.get(key)) : null);
  if (number("watch") !== null) return { to: "watch", tournament: number("watch"), play: number("play") };
  if (parameters.has("rules")) return { to: "rules", name: parameters.get("rules") };
  if (parameters.has("puzzles")) return { to: "puzzles" };
  if (parameters.has("games")) return { to: "games" };
  if (parameters.has("lesson")) return { to: "lesson" };
  if (parameters.has("game")) return { to: "game", id: parameters.get("game"), node: number("node") };
  return { to: "start" };
}

export class Routes {
  /** `go` is called with the target of each address that the user opens. */
  constructor(go) {
    this.expected = false; // will the server send a game for the address?
    addEventListener("hashchange", () => go(this.target()));
  }

  /** The target of the current address; the page goes there next. */
  target() {
    const target = parseAddress(location.hash);
    this.expected = target.to === "game" || target.to === "start" || target.to === "lesson"
      || (target.to === "watch" && target.play !== null);
    return target;
  }

  /** Update the address to a game at a node. */
  onGame({ id, watching, cursor }) {
    const target = parseAddress(location.hash);
    if (this.expected && target.to === "game" && target.id !== id) return; // the requested game has not arrived yet
    const { expected } = this;
    this.expected = false;
    if ((target.to === "watch" || target.to === "lesson") && (expected || watching)) return;
    if (target.to === "game" && target.id === id && (target.node === null || target.node === cursor)) return;
    if (expected || (target.to === "game" && target.id === id)) history.replaceState(null, "", `#game=${id}`);
    else history.pushState(null, "", `#game=${id}`);
  }

  /** Forget the requested target. */
  onRefusal() {
    this.expected = false;
  }
}
