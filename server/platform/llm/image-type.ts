import { lazily } from '../lazily.ts';

const library = lazily<typeof import('image-size')>('image-size');

/** The formats that models take. */
const types = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
]);
/** Providers refuse an image with a longer side (pixels). */
const maxSide = 8_000;

/** Returns the type of an image that models take, by its header: PNG, JPEG, GIF or WebP of at most 8,000 pixels a side. Null for all else. */
export function imageType(bytes: Uint8Array): string | null {
  try {
    const { type = '', width, height } = library().imageSize(bytes);
    const fits = width > 0 && height > 0 && width <= maxSide && height <= maxSide;
    return fits ? (types.get(type) ?? null) : null;
  } catch {
    // It has no header of an image, or a damaged one.
    return null;
  }
}
