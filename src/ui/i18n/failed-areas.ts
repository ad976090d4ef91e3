import type { PartLoadError } from '../loading/import-part.ts';

/** The areas whose texts did not arrive, as `language/area`. */
export const failedAreas = new Map<string, PartLoadError>();
