import type { PartLoadError } from '../loading/import-part.ts';

/** The areas whose texts failed to load, as `language/area`. */
export const failedAreas = new Map<string, PartLoadError>();
