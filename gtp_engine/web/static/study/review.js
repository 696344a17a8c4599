// The panel of the review of a game.

import { attribute, byId, capital, element, fieldById, text } from "../dom.js";
import { classOf, currentRow, faultsOf, isAtWork, progressText, sentence } from "./verdicts.js";
import { colourWord } from "../notation.js";
import { KINDS, REVIEW } from "./reviewtexts.js";
import { persons } from "../state.js";

export class ReviewPanel {
  /** `explain` is called with a row to show on the board. */
  constructor(explain) {
    this.explain = explain;
  }

  /** Draw the state. */
  draw(state) {
    const { game, layout, review, walk, view } = state;
    if (!game) return;
    const inputs = [game, layout, review, walk, view, state.practice];
    if (this.inputs?.every((part, i) => part === inputs[i])) return;
    this.inputs = inputs;
    const { practice } = state, status = review?.status, faults = faultsOf(review);
    byId("review").hidden = Boolean(review);
    byId("review-pause").hidden = status !== "running" || practice;
    byId("review-resume").hidden = (status !== "paused" && status !== "stopped") || practice;
    byId("previous-mistake").hidden = byId("next-mistake").hidden = !faults.length || practice;
    byId("review-again").hidden = !review || isAtWork(review);
    byId("review-save").hidden = !review?.rows.size;
    byId("review-text").hidden = byId("reviewed").hidden = Boolean(practice);
    byId("learning").hidden = !faults.length;
    const progress = byId("review-progress");
    progress.hidden = !isAtWork(review) || practice;
    attribute(progress, "max", review?.of || 1);
    attribute(progress, "value", review?.done ?? 0);
    text(byId("review-text"), progressText(review));
    this.#verdict(state);
    if (review !== this.drawn || view.notation !== this.notation) {
      this.drawn = review;
      this.notation = view.notation;
      this.#moments(state);
      this.#table(state);
    }
    if (game.id !== this.game) {
      this.game = game.id;
      const own = persons(game);
      fieldById("practice-side").value = own.length === 1 ? String(own[0]) : "0";
      text(byId("practice-black"), capital(layout.colours.black));
      text(byId("practice-white"), capital(layout.colours.white));
    }
  }

  #verdict(state) {
    const { review, walk } = state;
    const row = currentRow(state);
    byId("verdict").hidden = !review?.rows.size || state.practice !== null;
    text(byId("verdict-text"), row ? sentence(row, state) : REVIEW.unreviewed);
    attribute(byId("verdict-text"), "class", row ? classOf(row.kind) : null);
    byId("better").hidden = row === null || row.better === null;
    byId("refutation").hidden = !row?.refutation.moves.length;
    attribute(byId("better"), "aria-pressed", walk?.what === "better" ? "true" : "false");
    attribute(byId("refutation"), "aria-pressed", walk?.what === "refutation" ? "true" : "false");
    byId("walking").hidden = !walk;
    if (!walk) return;
    text(byId("walk-text"), `${walk.plies} / ${walk.moves.length}`);
    byId("walk-back").toggleAttribute("disabled", walk.plies === 0);
    byId("walk-on").toggleAttribute("disabled", walk.plies === walk.moves.length);
  }

  #moments(state) {
    const { review } = state;
    const rows = (review?.moments ?? []).map((ply) => review.rows.get(ply)).filter(Boolean);
    byId("moments-head").hidden = !rows.length;
    byId("moments").replaceChildren(...rows.map((row) => element("li", {}, element("button", {
      type: "button", class: `moment ${classOf(row.kind)}`, click: () => this.explain(row) },
    element("span", { class: "verdict", "aria-hidden": "true" }, KINDS[row.kind].sign), " ", sentence(row, state)))));
  }

  #table({ review, layout }) {
    byId("review-table").hidden = !review?.rows.size;
    if (!review) return;
    const [body] = byId("review-table").getElementsByTagName("tbody");
    const [head] = byId("review-table").getElementsByTagName("thead");
    head.replaceChildren(element("tr", {}, element("th", { scope: "col" }, byId("review-table").dataset.kind),
      ...[1, 2].map((colour) => element("th", { scope: "col" }, capital(colourWord(layout, colour))))));
    const accuracy = review.accuracy.map((value) => (value === null ? "–" : `${Math.round(value)} %`));
    const rows = Object.keys(KINDS).filter((kind) => review.counts.some((counts) => counts[kind]))
      .map((kind) => [kind, review.counts.map((counts) => String(counts[kind] ?? 0))]);
    const line = (name, sign, values, kind) => element("tr", {}, element("th", { scope: "row", class: kind && classOf(kind) },
      sign && element("span", { class: "verdict", "aria-hidden": "true" }, sign), sign && " ", name),
    ...values.map((value) => element("td", {}, value)));
    body.replaceChildren(line(byId("review-table").dataset.accuracy, null, accuracy, ""),
      ...rows.map(([kind, values]) => line(KINDS[kind].name, KINDS[kind].sign, values, kind)));
  }
}
