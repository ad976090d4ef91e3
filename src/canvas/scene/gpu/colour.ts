/** Colours are 0xrrggbb. Returns `a` and `b` mixed, `share` (0..1) of it being `b`. */
export function mix(a: number, b: number, share: number): number {
  return mixedChannel(a, b, share, 16) | mixedChannel(a, b, share, 8) | mixedChannel(a, b, share, 0);
}

/** The colour as four bytes for a vertex buffer (r, g, b, a from the lowest byte). `alpha`: 0..1. */
export function packed(colour: number, alpha = 1): number {
  return (((colour >> 16) & 255) | (colour & 0xff00) | ((colour & 255) << 16) | (Math.round(alpha * 255) << 24)) >>> 0;
}

function mixedChannel(a: number, b: number, share: number, shift: number): number {
  return Math.round(((a >> shift) & 255) * (1 - share) + ((b >> shift) & 255) * share) << shift;
}
