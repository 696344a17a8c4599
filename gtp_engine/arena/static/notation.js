// The names of points and colours.

/** The names of the colours by number. */
export const COLOURS = [null, "black", "white"];

/** The notation with this name, or the usual one of the game if there is none. */
export function notationOf({ notations, lettering }, name) {
  return notations[name] ?? notations[lettering] ?? Object.values(notations)[0];
}

/** The name of a colour in a game. */
export const colourWord = (layout, colour) => layout.colours[colour === 1 ? "black" : "white"];
