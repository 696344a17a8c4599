// Synthesised sounds: a stone on wood, a capture, the end of a game.

const NOTES = { // [pitch in hertz, start, length] of each tone, times in seconds
  stone: [[190, 0, 0.07], [640, 0, 0.03]],
  capture: [[190, 0, 0.07], [320, 0.08, 0.06], [240, 0.15, 0.08]],
  end: [[392, 0, 0.25], [494, 0.16, 0.25], [587, 0.32, 0.5]],
};

/** The sound for a change of the state, null for none. */
export function soundOf(state, before) {
  const [now, old] = [state.game, before.game];
  if (!state.view.sound || !now || !old || now.id !== old.id || now.cells === old.cells) return null;
  if (state.ended && !before.ended) return "end";
  if (now.cursor !== now.live || now.last === null) return null;
  return now.taken.length ? "capture" : "stone";
}

export class Sounds {
  /** @type {AudioContext | undefined} */
  #context;

  /** Play one of NOTES. */
  play(kind) {
    this.#context ??= new AudioContext();
    const context = this.#context;
    for (const [pitch, begin, length] of NOTES[kind]) {
      const tone = context.createOscillator(), volume = context.createGain();
      const start = context.currentTime + begin;
      tone.frequency.value = pitch;
      tone.type = kind === "end" ? "sine" : "triangle";
      volume.gain.setValueAtTime(0.25, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + length);
      tone.connect(volume).connect(context.destination);
      tone.start(start);
      tone.stop(start + length);
    }
  }
}
