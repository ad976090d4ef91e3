import { useMemo, useRef } from 'react';
import { useObserved } from '../../state/use-observed.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { linkBadgeHeight } from '../geometry/link-path.ts';
import { routesOf } from '../geometry/routes/routes-of.ts';
import { routing } from '../geometry/routes/routing.ts';
import overlay from '../overlay/canvas-overlay.module.css';
import styles from '../overlay/links/link-badges.module.css';
import { useCameraLayer } from '../overlay/use-camera-layer.ts';
import { useStoreValue } from '../use-store-value.ts';
import { isMerged } from './folded-records.ts';
import type { FoldedStore } from './folded-store.ts';

/** Badges are elements of the page: more than this many would slow it down, so only the first are shown. */
const maxBadges = 200;
/** Below this zoom the text of a badge cannot be read. */
const minZoom = 0.3;

/** On each line that stands for several links to a folded group: how many. */
export function MergedBadges({ store }: { store: FoldedStore }) {
  const { t } = useTranslation('folding');
  const layer = useRef<HTMLDivElement>(null);
  const document = useStoreValue(store, (state) => state.document);
  const finder = useObserved(routing, routing.get);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the routes are others once their finder is loaded
  const lines = useMemo(() => {
    const found = [];
    const routes = routesOf(document);
    for (const id of store.folding?.mergedLines() ?? []) {
      const line = document.connections[id];
      const at = routes.badgeAt(id);
      if (!line || !isMerged(line) || !at) continue;
      found.push({ id, count: line.merged.length, at });
      if (found.length === maxBadges) break;
    }
    return found;
  }, [store, document, finder]);
  useCameraLayer(layer, store.view, { minZoom, isEmpty: lines.length === 0 });
  return (
    <div ref={layer} className={`${overlay.layer} ${styles.layer}`}>
      {lines.map(({ id, count, at }) => (
        <div
          key={id}
          className={styles.place}
          style={{ transform: `translate(${at.x}px, ${at.y}px)`, '--badge-height': `${linkBadgeHeight}px` }}
        >
          <span className={styles.badge} data-count data-merged-links={count} title={t('words:linkCount', { count })}>
            {`×${count}`}
          </span>
        </div>
      ))}
    </div>
  );
}
