import i18next from 'i18next';
import type { Area } from './use-translation.ts';

/** Has these areas fetched side by side, ahead of the components that would else ask for one after the other. */
export async function preloadAreas(areas: readonly Area[]): Promise<void> {
  await i18next.loadNamespaces(areas);
}
