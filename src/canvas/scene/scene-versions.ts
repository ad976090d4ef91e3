/**
 * Version numbers of what the layers draw. A change raises the numbers of what it makes outdated; a layer that was drawn from another
 * number draws again.
 */
export type SceneVersions = {
  /** All cards in tiles; a change of single cards marks their tiles instead. */
  cards: number;
  /** All links in tiles, likewise. */
  links: number;
  annotations: number;
  search: number;
  /** Selected cards and links, and the link that is being drawn. */
  selection: number;
  hover: number;
  /** Links with one end in a drag. */
  looseLinks: number;
};

export type VersionKey = keyof SceneVersions;

export const firstVersions: SceneVersions = { cards: 1, links: 1, annotations: 1, search: 1, selection: 1, hover: 1, looseLinks: 1 };

/** The versions of everything that shows texts or colours of nodes. */
export const nodeVersions = ['cards', 'annotations', 'search'] as const satisfies readonly VersionKey[];
/** The versions of everything drawn from the page's ephemeral state outside tiles. */
export const markVersions = ['selection', 'hover', 'looseLinks'] as const satisfies readonly VersionKey[];
