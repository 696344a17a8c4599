// Actions of a lesson.

export class LessonActions {
  /** `send` sends a message. */
  constructor({ store, send }) {
    this.store = store;
    this.send = send;
  }

  /** Ask for the next move; if a question is open, show the move. */
  question() {
    const { hello, lesson } = this.store.state;
    if (!lesson?.id || hello.watch_only) return;
    this.send("lesson", { what: lesson.asked?.answer === null ? "show" : "ask" });
  }

  /** Guess a move for the open question. */
  guess(place) {
    this.store.set({ aimed: null });
    this.send("guess", { number: this.store.state.lesson.asked.number, point: place });
  }
}
