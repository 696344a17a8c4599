// Actions of analysis, review and practice.

import { byId, fieldById } from "../dom.js";
import { playOut, stepWalk } from "../game/lines.js";
import { nextQuestion, practiceOf, questionOf, solution } from "./practice.js";
import { firstNode, trainingAfter, trainingOf, trainingWithView } from "./training.js";
import { betterLine, currentRow, explanation, isAtWork, nextFault, refutation } from "./verdicts.js";

export class StudyActions {
  /** `send` sends a message. */
  constructor({ store, send }) {
    this.store = store;
    this.send = send;
  }

  get state() {
    return this.store.state;
  }

  tab(name) {
    this.store.set({ tab: name });
  }

  // Copy a watched game into the user's own games; only these can be analysed.
  #own() {
    const { game } = this.state;
    if (game.watching) this.send("take", { node: game.cursor });
  }

  // --- analysis ---------------------------------------------------------------------------------

  analyse() {
    this.tab("analysis");
    if (this.state.game.analysing) this.send("analyse", { player: null, settings: {} });
    else this.startAnalysis();
  }

  startAnalysis() {
    this.#own();
    const { cores } = this.state.hello;
    const player = fieldById("analyst").value;
    const settings = player === "alphabeta" && cores > 2 ? { threads: String(Math.floor(cores / 2)) } : {};
    this.send("analyse", { player, settings });
  }

  ask(what) {
    this.#own();
    this.send("ask", { what, node: this.state.game.cursor });
  }

  threats() {
    this.tab("analysis");
    if (this.state.threats) this.store.set({ threats: null });
    else this.ask("threats");
  }

  solve() {
    this.tab("analysis");
    this.store.set({ proof: null });
    this.ask("solve");
  }

  look(line) {
    this.store.set({ line });
  }

  // --- review -----------------------------------------------------------------------------------

  /** Review the displayed line. */
  review() {
    this.tab("review");
    if (isAtWork(this.state.review)) return;
    this.#own();
    this.store.set({ walk: null, practice: null });
    this.send("review", { node: this.state.game.cursor, effort: fieldById("review-effort").value });
  }

  pauseReview(paused) {
    this.send("pause_review", { paused });
  }

  /** Show a line of the review on the board, from its first move. */
  show(walk) {
    this.store.set({ walk });
    this.#look(walk.node);
  }

  // Show a position and, on a narrow page, scroll to the board.
  #look(node) {
    if (node !== this.state.game.cursor) this.send("goto", { node });
    byId("boards").scrollIntoView({ block: "nearest" });
  }

  /** Explain the verdict on a move by the better line or the refutation. */
  explain(row) {
    const walk = explanation(row, this.state.nodes);
    if (walk) this.show(walk);
    else this.#look(row.node);
  }

  /** Show the mistake after (1) or before (-1) the displayed position. */
  mistake(step) {
    this.tab("review");
    const row = nextFault(this.state, step);
    if (row) this.explain(row);
  }

  /** Show or close the better line or the refutation of the displayed move. */
  instead(what) {
    const { walk, nodes, review } = this.state, row = currentRow(this.state);
    if (!row || !review) return;
    if (walk?.what === what) this.closeLine();
    else if (what === "better" && row.better !== null) this.show(betterLine(row, nodes));
    else if (what === "refutation" && row.refutation.moves.length) this.show(refutation(row));
  }

  /** Add a move to the line on the board (1), or remove one (-1). */
  walkLine(step) {
    this.store.set({ walk: stepWalk(this.state.walk, step) });
  }

  /** Close the line on the board and show its move. */
  closeLine() {
    const row = currentRow(this.state);
    this.store.set({ walk: null });
    if (row && !this.state.practice) this.send("goto", { node: row.node });
  }

  // --- learning from mistakes -------------------------------------------------------------------

  practise() {
    this.store.set({ walk: null, practice: practiceOf(this.state.review, Number(fieldById("practice-side").value)) });
    this.#question();
  }

  // Show the position of the current question.
  #question() {
    const row = questionOf(this.state);
    if (row) this.#look(this.state.nodes.get(row.node).parent);
  }

  /** Try a move in place of a mistake. */
  tryMove(place) {
    const { practice } = this.state;
    if (practice.pending !== null) return;
    const { ply } = questionOf(this.state);
    this.store.set({ aimed: null, walk: null, practice: { ...practice, pending: place, answer: null, hint: false } });
    this.send("judge", { ply, point: place });
  }

  /** Play out the refutation on the board. */
  playOut() {
    playOut(() => this.state.walk, (walk) => this.store.set({ walk }));
  }

  practiceHint() {
    this.store.set({ practice: { ...this.state.practice, hint: true, answer: null } });
  }

  practiceView() {
    this.store.set(solution(this.state));
  }

  practiceNext() {
    this.store.set({ walk: null, practice: nextQuestion(this.state.practice) });
    this.#question();
  }

  practiceEnd() {
    this.store.set({ walk: null, practice: null });
  }

  // --- training of openings ---------------------------------------------------------------------

  /** Ask for the moves of the variations after the displayed position. */
  train() {
    const { game } = this.state;
    this.store.set({ training: trainingOf(game.cursor, Number(fieldById("training-side").value), game.side) });
    this.trainingNext();
  }

  /** Try a move in a training. */
  trainMove(place) {
    const [training, node] = trainingAfter(this.state, place);
    this.store.set({ training, aimed: null });
    if (node !== undefined) this.send("goto", { node });
  }

  trainingView() {
    this.store.set({ training: trainingWithView(this.state) });
  }

  trainingNext() {
    this.store.set({ training: { ...this.state.training, reply: null } });
    this.send("goto", { node: firstNode(this.state) });
  }

  trainingEnd() {
    this.store.set({ training: null });
  }

  /** The actions of keys in a review, by key: inside a line on the board, in practice, and elsewhere. */
  keys() {
    const { game, walk, practice, review, hello } = this.state;
    const keys = game.watching || !review ? {} : { m: () => this.mistake(1), M: () => this.mistake(-1),
      w: () => this.instead("better"), f: () => this.instead("refutation") };
    const row = questionOf(this.state);
    return { r: hello.watch_only ? undefined : () => this.review(), ...keys,
      ...(practice ? { Escape: () => this.practiceEnd(), m: undefined, M: undefined, w: undefined, f: undefined } : {}),
      ...(row ? { s: () => this.practiceNext() } : {}),
      ...(row && practice.open ? { i: () => this.practiceHint(), v: () => this.practiceView() } : {}),
      ...(walk ? { ArrowLeft: () => this.walkLine(-1), ArrowRight: () => this.walkLine(1) } : {}),
      ...(walk && !practice ? { Escape: () => this.closeLine() } : {}) };
  }
}
