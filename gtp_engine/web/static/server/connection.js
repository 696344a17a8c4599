// The connection to the server, with reconnection.

const PATIENCE = [300, 600, 1200, 2500, 5000]; // milliseconds until the next try
export const TOO_MANY = 4001; // close code of a server that has too many pages
export const LOST = "Connection lost.  Reconnecting ...";

/** The notice for a closed connection. */
export function whyClosed({ code, reason }) {
  return code === TOO_MANY && reason ? `${reason} Reconnecting ...` : LOST;
}

export class Connection {
  /** `onMessage` is called with each message, `onChange` with the reason of a lost connection, "": connected. */
  constructor(address, onMessage, onChange) {
    this.address = address;
    this.onMessage = onMessage;
    this.onChange = onChange;
    this.tries = 0;
    this.#connect();
    addEventListener("pagehide", () => this.socket.close()); // the page may stay in the browser's cache
  }

  #connect() {
    this.socket = new WebSocket(this.address);
    this.socket.onmessage = (event) => {
      this.tries = 0;
      this.onChange("");
      this.onMessage(JSON.parse(event.data));
    };
    this.socket.onclose = (event) => {
      this.onChange(whyClosed(event));
      setTimeout(() => this.#connect(), PATIENCE[Math.min(this.tries, PATIENCE.length - 1)]);
      this.tries += 1;
    };
  }

  /** Send a message; false without a connection, when the message is lost. */
  send(what, fields = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify({ do: what, ...fields }));
    return true;
  }
}

/** The address of a page's socket. */
export function socketOf(page) {
  const address = new URL("socket", page);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  return address;
}
