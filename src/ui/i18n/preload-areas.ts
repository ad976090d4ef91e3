import i18next from 'i18next';
import { failedAreas } from './failed-areas.ts';
import type { Area } from './use-translation.ts';

/** Has these areas fetched side by side, ahead of the components that would else ask for one after the other. Throws a `PartLoadError`. */
export async function preloadAreas(areas: readonly Area[]): Promise<void> {
  const failureOf = (area: Area) => failedAreas.get(`${i18next.language}/${area}`);
  // i18next asks once for an area: what did not arrive before is asked for again here.
  await Promise.all(areas.map((area) => failureOf(area)?.retry()));
  await i18next.loadNamespaces(areas);
  const failure = areas.map(failureOf).find(Boolean);
  if (failure) throw failure;
}
