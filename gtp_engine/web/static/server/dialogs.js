// Dialogs: forms, confirmations and help.

import { attribute, byId, element, text } from "../dom.js";

/** An error in a form; `field` is the name of the field. */
export class Fault extends Error {
  constructor(message, field = null) {
    super(message);
    this.field = field;
  }
}

export class Dialogs {
  constructor() {
    this.dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
    this.pending = null; // the kind of message that confirms the answer
    byId("dialog-cancel").addEventListener("click", () => this.close());
    this.dialog.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.dialog.addEventListener("close", () => this.resolve?.(this.answer));
  }

  /** Show a dialog with this title and content.
   *
   *  read   returns the answer from the fields, or throws a Fault; without it OK is the only button
   *  ok     the label of the button
   *  send   sends the answer, false without a connection; the dialog stays open until the server accepts it
   *  until  the kind of message that confirms the answer
   *
   *  Resolves to the answer, or null.
   */
  ask(title, content, { read = null, ok = "OK", send = null, until = null } = {}) {
    this.close();
    this.read = read;
    this.send = send;
    this.until = until;
    this.answer = null;
    this.pending = null;
    text(byId("dialog-title"), title);
    text(byId("dialog-ok"), ok);
    byId("dialog-body").replaceChildren(...[content].flat().filter(Boolean));
    byId("dialog-cancel").hidden = !read;
    this.fault("");
    this.dialog.showModal();
    byId("dialog-body").scrollTop = 0;
    return new Promise((resolve) => { this.resolve = resolve; });
  }

  get open() {
    return this.dialog.open;
  }

  /** Close the dialog; it resolves to the answer so far. */
  close() {
    if (!this.dialog.open) return;
    this.dialog.close();
    this.resolve(this.answer);
    this.resolve = null;
  }

  #submit() {
    if (this.pending) return;
    this.fault("");
    try {
      const answer = this.read ? this.read() : true;
      if (!this.send) {
        this.answer = answer;
        this.close();
      } else if (this.send(answer)) {
        this.pending = this.until;
        this.submission = answer;
      } else {
        this.fault("Not connected.  Try again.");
      }
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      this.fault(fault.message, fault.field);
    }
  }

  /** Handle a message of the server; true if it refuses the answer. */
  onMessage(message) {
    if (!this.pending) return false;
    if (message.do === this.pending) {
      this.answer = this.submission;
      this.pending = null;
      this.close();
    } else if (message.do === "refused") {
      this.pending = null;
      this.fault(message.text, message.field);
      return true;
    }
    return false;
  }

  /** Report that the connection, and perhaps the answer, is lost. */
  onConnectionLost() {
    if (this.pending) this.fault("Connection lost.  Try again.");
    this.pending = null;
  }

  /** Show an error, at the field of that name if there is one. */
  fault(words, name = null) {
    for (const input of this.dialog.querySelectorAll("[aria-invalid]")) {
      input.removeAttribute("aria-invalid");
      input.removeAttribute("aria-errormessage");
    }
    for (const note of this.dialog.querySelectorAll(".fault")) note.remove();
    /** @type {HTMLElement | null} */
    const input = name && this.dialog.querySelector(`[name="${CSS.escape(name)}"]`);
    text(byId("dialog-fault"), input ? "" : words);
    if (!input) return;
    for (let box = input.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    input.after(element("small", { class: "fault", id: "field-fault", role: "alert" }, words));
    attribute(input, "aria-invalid", "true");
    attribute(input, "aria-errormessage", "field-fault");
    input.focus();
  }
}

/** A field with its label; the input needs an id. */
export function field(label, input, help = "") {
  if (help) input.setAttribute("aria-describedby", `${input.id}-help`);
  return element("div", { class: "field" }, element("label", { for: input.id }, label), input,
    help ? element("small", { id: `${input.id}-help` }, help) : null);
}

/** A select element; `values` are texts, or pairs of a value and its text. */
export function choice(id, values, chosen, attributes = {}) {
  const pairs = values.map((value) => (Array.isArray(value) ? value : [value, value]));
  return element("select", { id, ...attributes }, ...pairs.map(([value, words]) => element("option",
    { value, selected: value === chosen }, words)));
}
