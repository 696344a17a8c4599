// What the address of the page says, and the way back through what was looked at.

/** What the part of an address after # asks for. */
export function parsed(hash) {
  const told = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (key) => (/^\d+$/.test(told.get(key) ?? "") ? Number(told.get(key)) : null);
  if (number("watch") !== null) return { to: "watch", tournament: number("watch"), play: number("play") };
  if (told.has("rules")) return { to: "rules", name: told.get("rules") };
  if (told.has("puzzles")) return { to: "puzzles" };
  if (told.has("games")) return { to: "games" };
  if (told.has("lesson")) return { to: "lesson" };
  if (told.has("game")) return { to: "game", id: told.get("game"), node: number("node") };
  return { to: "start" };
}

export class Routes {
  /** `go` is called with what an address asks for that the user has gone to. */
  constructor(go) {
    this.expected = false; // does a game come because the address asks for it?
    addEventListener("hashchange", () => go(this.asked()));
  }

  /** What the address asks for, which is going to be done. */
  asked() {
    const asked = parsed(location.hash);
    this.expected = asked.to === "game" || asked.to === "start" || asked.to === "lesson"
      || (asked.to === "watch" && asked.play !== null);
    return asked;
  }

  /** A game is shown at a node: the address names it. */
  shown({ id, watching, cursor }) {
    const asked = parsed(location.hash);
    if (this.expected && asked.to === "game" && asked.id !== id) return; // it is still to come
    const { expected } = this;
    this.expected = false;
    if ((asked.to === "watch" || asked.to === "lesson") && (expected || watching)) return;
    if (asked.to === "game" && asked.id === id && (asked.node === null || asked.node === cursor)) return;
    if (expected || (asked.to === "game" && asked.id === id)) history.replaceState(null, "", `#game=${id}`);
    else history.pushState(null, "", `#game=${id}`);
  }

  /** What the address asked for cannot be had. */
  refused() {
    this.expected = false;
  }
}
