/** The plane is 2^16 cells wide. Coordinates outside are clamped to its rim. */
const half = 32_768;

/** Packs a cell's coordinates into one number. */
export function cellKey(x: number, y: number): number {
  return (((clampCell(x) + half) << 16) | (clampCell(y) + half)) >>> 0;
}

/** Unpacks a cell's key. */
export function cellOfKey(key: number): { x: number; y: number } {
  return { x: (key >>> 16) - half, y: (key & 0xffff) - half };
}

/** Clamps a cell coordinate to the plane. */
export function clampCell(cell: number): number {
  return Math.max(-half, Math.min(half - 1, cell));
}
