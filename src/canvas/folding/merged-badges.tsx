import { useMemo, useRef } from 'react';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { linkEnd } from '../geometry/link-end.ts';
import { linkBadgeHeight, linkMidpoint } from '../geometry/link-path.ts';
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
  const lines = useMemo(() => {
    const found = [];
    for (const id of store.folding?.mergedLines() ?? []) {
      const line = document.connections[id];
      const from = document.nodes[line?.from.agentId ?? ''];
      const to = document.nodes[line?.to.agentId ?? ''];
      if (!line || !isMerged(line) || !from || !to) continue;
      found.push({ id, count: line.merged.length, at: linkMidpoint(linkEnd(from, 'out'), linkEnd(to, 'in')) });
      if (found.length === maxBadges) break;
    }
    return found;
  }, [store, document]);
  useCameraLayer(layer, store.view, { minZoom, isEmpty: lines.length === 0 });
  return (
    <div ref={layer} className={`${overlay.layer} ${styles.layer}`}>
      {lines.map(({ id, count, at }) => (
        <div
          key={id}
          className={styles.place}
          style={{ transform: `translate(${at.x}px, ${at.y}px)`, '--badge-height': `${linkBadgeHeight}px` }}
        >
          <span className={styles.badge} data-count data-merged-links={count} title={t('links', { count })}>
            {`×${count}`}
          </span>
        </div>
      ))}
    </div>
  );
}
