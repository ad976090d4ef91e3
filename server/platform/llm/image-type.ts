const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpeg = Buffer.from([0xff, 0xd8, 0xff]);
const starts = (bytes: Uint8Array, start: Uint8Array, at = 0) => Buffer.compare(bytes.subarray(at, at + start.length), start) === 0;
const startsWith = (bytes: Uint8Array, text: string, at = 0) => starts(bytes, Buffer.from(text), at);

/** Returns the type of an image by its first bytes: PNG, JPEG, GIF or WebP, which models take; null for all else. */
export function imageType(bytes: Uint8Array): string | null {
  if (starts(bytes, png)) return 'image/png';
  if (starts(bytes, jpeg)) return 'image/jpeg';
  if (startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) return 'image/gif';
  return startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8) ? 'image/webp' : null;
}
