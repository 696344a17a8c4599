// The names of points and colours.

/** The names of the colours by number. */
export const COLOURS = [null, "black", "white"];

/** The notation that is wanted, or where there is none of that name, the usual one of the game. */
export function notationOf({ notations, lettering }, wanted) {
  return notations[wanted] ?? notations[lettering] ?? Object.values(notations)[0];
}

/** A colour as it is called in a game. */
export const colourWord = (layout, colour) => layout.colours[colour === 1 ? "black" : "white"];
