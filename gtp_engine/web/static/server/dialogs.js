// The questions that are asked before something is done.

import { attribute, byId, element, text } from "../dom.js";

/** Something wrong in a form; `field` is the name of the field. */
export class Fault extends Error {
  constructor(message, field = null) {
    super(message);
    this.field = field;
  }
}

export class Dialogs {
  constructor() {
    this.dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
    this.pending = null; // the kind of message that says that what was sent is done
    byId("dialog-cancel").addEventListener("click", () => this.close());
    this.dialog.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.dialog.addEventListener("close", () => this.resolve?.(this.answer));
  }

  /** Ask with this title and content.
   *
   *  read   makes the answer from the fields, or throws a Fault; without it there is only OK
   *  ok     the words on the button
   *  send   sends the answer; the dialog stays until it is known to be right; false: it was lost
   *  until  the kind of message that says so
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

  /** Ask no more; the answer is what was given so far. */
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
        this.sent = answer;
      } else {
        this.fault("There is no connection; try again.");
      }
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      this.fault(fault.message, fault.field);
    }
  }

  /** Take in a message of the server; true if it was the refusal of what was sent. */
  hear(message) {
    if (!this.pending) return false;
    if (message.do === this.pending) {
      this.answer = this.sent;
      this.pending = null;
      this.close();
    } else if (message.do === "refused") {
      this.pending = null;
      this.fault(message.text, message.field);
      return true;
    }
    return false;
  }

  /** The connection is lost, and what was sent may be. */
  lost() {
    if (this.pending) this.fault("The connection was lost; try again.");
    this.pending = null;
  }

  /** Say what is wrong, at the field of that name if there is one. */
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

/** A field with its label; the input has an id. */
export function field(label, input, help = "") {
  if (help) input.setAttribute("aria-describedby", `${input.id}-help`);
  return element("div", { class: "field" }, element("label", { for: input.id }, label), input,
    help ? element("small", { id: `${input.id}-help` }, help) : null);
}

/** A choice; `values` are texts, or pairs of a value and its text. */
export function choice(id, values, chosen, attributes = {}) {
  const pairs = values.map((value) => (Array.isArray(value) ? value : [value, value]));
  return element("select", { id, ...attributes }, ...pairs.map(([value, words]) => element("option",
    { value, selected: value === chosen }, words)));
}
