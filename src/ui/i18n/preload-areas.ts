import i18next from 'i18next';
import { failedAreas } from './failed-areas.ts';
import type { Area } from './use-translation.ts';

/** Has these areas fetched side by side, ahead of the components that would else ask for one after the other. Throws a `PartLoadError`. */
export async function preloadAreas(areas: readonly Area[]): Promise<void> {
  await i18next.loadNamespaces(areas);
  const failure = areas.map((area) => failedAreas.get(`${i18next.language}/${area}`)).find(Boolean);
  if (failure) throw failure;
}
