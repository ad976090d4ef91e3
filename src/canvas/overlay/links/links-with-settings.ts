import type { CanvasDocument, Connection } from '../../../../contract/canvas.ts';
import type { Earlier, WorkspaceStore } from '../../../model/workspace-store.ts';
import { Observable } from '../../../state/observable.ts';
import { oncePer } from '../../../state/once-per.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { touchedAll, touchedBy } from '../../geometry/touched.ts';

/** Returns the ids of the links that have settings for a run. Of a large canvas an edit looks only at the links that it changes. */
export function useLinksWithSettings(store: WorkspaceStore): readonly string[] {
  const links = linksOf(store);
  return useObserved(links, () => links.ids);
}

const linksOf = oncePer((store: WorkspaceStore) => new LinksWithSettings(store));

/** Follows the store as long as it exists. */
class LinksWithSettings extends Observable {
  ids: readonly string[];

  constructor(store: WorkspaceStore) {
    super();
    this.ids = findLinksWithSettings(store.getState().document);
    store.subscribe(({ document }, patches, earlier) => {
      const { links } = patches ? touchedBy(patches) : touchedAll;
      const ids = links === 'all' ? findLinksWithSettings(document) : updateLinksWithSettings(this.ids, document, earlier.connections);
      if (ids === this.ids) return;
      this.ids = ids;
      this.notify();
    });
  }
}

export function findLinksWithSettings({ connections }: Pick<CanvasDocument, 'connections'>): string[] {
  return Object.values(connections).flatMap((link) => (hasSettings(link) ? [link.id] : []));
}

/** Returns the ids after a change; `earlier` holds the changed links as they were before. Returns the same list when it has not changed. */
export function updateLinksWithSettings(
  ids: readonly string[],
  { connections }: Pick<CanvasDocument, 'connections'>,
  earlier: Earlier['connections'],
): readonly string[] {
  const changed = [...earlier].filter(([id, was]) => hasSettings(was) !== hasSettings(connections[id])).map(([id]) => id);
  if (changed.length === 0) return ids;
  const gone = new Set(changed);
  return [...ids.filter((id) => !gone.has(id)), ...changed.filter((id) => hasSettings(connections[id]))];
}

function hasSettings(link: Connection | undefined): boolean {
  return link?.run !== undefined && Object.keys(link.run).length > 0;
}
