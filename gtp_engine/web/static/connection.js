// The connection to the server, which is made anew when it is lost.

const PATIENCE = [300, 600, 1200, 2500, 5000]; // milliseconds until the next try

export class Connection {
  /** `hear` is called with each message, `changed` with whether there is a connection. */
  constructor(hear, changed) {
    this.hear = hear;
    this.changed = changed;
    this.tries = 0;
    this.#connect();
  }

  #connect() {
    const address = new URL("socket", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    this.socket = new WebSocket(address);
    this.socket.onopen = () => {
      this.tries = 0;
      this.changed(true);
    };
    this.socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    this.socket.onclose = () => {
      this.changed(false);
      setTimeout(() => this.#connect(), PATIENCE[Math.min(this.tries, PATIENCE.length - 1)]);
      this.tries += 1;
    };
  }

  /** Send a message; without a connection it is lost, which the page says. */
  say(what, fields = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify({ do: what, ...fields }));
    return true;
  }
}
