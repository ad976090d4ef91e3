import i18next from 'i18next';
import { failedAreas } from './failed-areas.ts';
import type { Area } from './use-translation.ts';

/** Loads these areas in parallel, before the components that need them one after the other. Throws a `PartLoadError`. */
export async function preloadAreas(areas: readonly Area[]): Promise<void> {
  const failureOf = (area: Area) => failedAreas.get(`${i18next.language}/${area}`);
  // i18next loads an area once: a failed one is loaded again here.
  await Promise.all(areas.map((area) => failureOf(area)?.retry()));
  await i18next.loadNamespaces(areas);
  const failure = areas.map(failureOf).find(Boolean);
  if (failure) throw failure;
}
