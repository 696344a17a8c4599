// The connection to the server, which is made anew when it is lost.

const PATIENCE = [300, 600, 1200, 2500, 5000]; // milliseconds until the next try
export const TOO_MANY = 4001; // the code with which a server says why it lets no more pages in
export const LOST = "The connection is lost; trying again ...";

/** What the page says of a connection that was closed. */
export function whyClosed({ code, reason }) {
  return code === TOO_MANY && reason ? `${reason} Trying again ...` : LOST;
}

export class Connection {
  /** `hear` is called with each message, `changed` with "" or why there is no connection. */
  constructor(address, hear, changed) {
    this.address = address;
    this.hear = hear;
    this.changed = changed;
    this.tries = 0;
    this.#connect();
    addEventListener("pagehide", () => this.socket.close()); // a page that the browser keeps for the way back
  }

  #connect() {
    this.socket = new WebSocket(this.address);
    this.socket.onmessage = (event) => {
      this.tries = 0;
      this.changed("");
      this.hear(JSON.parse(event.data));
    };
    this.socket.onclose = (event) => {
      this.changed(whyClosed(event));
      setTimeout(() => this.#connect(), PATIENCE[Math.min(this.tries, PATIENCE.length - 1)]);
      this.tries += 1;
    };
  }

  /** Send a message; false if there is no connection, and the message is lost. */
  say(what, fields = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify({ do: what, ...fields }));
    return true;
  }
}

/** The address of the socket of a page. */
export function socketOf(page) {
  const address = new URL("socket", page);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  return address;
}
