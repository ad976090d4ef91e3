/** The plane is 2^16 cells wide; cells farther out share those at its rim. */
const half = 32_768;

/** One number for a cell of the plane. */
export function cellKey(x: number, y: number): number {
  return (((clampCell(x) + half) << 16) | (clampCell(y) + half)) >>> 0;
}

/** The cell that a key stands for. */
export function cellOfKey(key: number): { x: number; y: number } {
  return { x: (key >>> 16) - half, y: (key & 0xffff) - half };
}

/** The cell coordinate within the plane that is nearest to this one. */
export function clampCell(cell: number): number {
  return Math.max(-half, Math.min(half - 1, cell));
}
