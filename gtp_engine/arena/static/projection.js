// The perspective projection of a cube to the screen.

export const FIRST_VIEW = { yaw: 0.5, pitch: 0.33 };
const GAP = 1.9; // distance between levels, in steps of a level
const DISTANCE = 40; // distance of the eye from the centre
const STEEPEST = 1.4; // largest pitch, in radians

/** A view turned around the vertical axis (`aside`) and the horizontal axis (`up`), in radians. */
export function turned({ yaw, pitch }, aside, up) {
  return { yaw: yaw + aside, pitch: Math.min(Math.max(pitch + up, -STEEPEST), STEEPEST) };
}

/** The projection of [level, column, row] of a cube with `size` points in a row.  Returns `x` to
 *  the right, `y` downwards, `near` towards the eye, and the `scale` of a stone.
 *
 *  @param {number} size
 *  @param {{yaw: number, pitch: number}} view
 *  @param {number[]} where
 */
export function project(size, { yaw, pitch }, [level, column, row]) {
  const centre = (size - 1) / 2;
  const [x, y, z] = [column - centre, (level - centre) * GAP, row - centre];
  const [across, ahead] = [x * Math.cos(yaw) + z * Math.sin(yaw), z * Math.cos(yaw) - x * Math.sin(yaw)];
  const [c, s] = [Math.cos(pitch), Math.sin(pitch)];
  const near = ahead * c + y * s;
  const scale = DISTANCE / (DISTANCE - near);
  return { x: across * scale, y: (ahead * s - y * c) * scale, near, scale };
}

/** The index of the projected point nearest to x, y, or null if none is within `reach`.  Of two at
 *  the same distance, the one nearer to the eye. */
export function nearest(projections, x, y, reach = Infinity) {
  let best = null, least = reach;
  projections.forEach((point, index) => {
    const distance = Math.hypot(point.x - x, point.y - y);
    if (distance < least || (distance === least && (best === null || point.near > projections[best].near))) {
      [best, least] = [index, distance];
    }
  });
  return best;
}

/** Half the width and half the height of a frame that holds the cube in every view. */
export function extent(size) {
  const half = (size - 1) / 2;
  const radius = half * Math.SQRT2;
  const farthest = Math.hypot(radius, half * GAP);
  const enlarged = DISTANCE / (DISTANCE - farthest);
  return { across: radius * enlarged + 0.8, up: farthest * enlarged + 0.4 };
}
