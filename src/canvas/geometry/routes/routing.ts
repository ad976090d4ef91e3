import { ObservableValue } from '../../../state/observable.ts';
import { importPart } from '../../../ui/loading/import-part.ts';
import type { RouteFinder } from './route-finder.ts';

/**
 * What finds routes. It has a script of its own, which a canvas loads after its first picture; until then links take their plain way. A page
 * that is rendered by the build, and a picture, set it before they ask for routes.
 */
export const routing = new ObservableValue<typeof RouteFinder | null>(null);

/** Loads it. If that fails, links keep their plain way until the canvas is opened again. */
export async function loadRouting(): Promise<void> {
  if (routing.get() === null) routing.set(await importPart(async () => (await import('./route-finder.ts')).RouteFinder));
}
