import { useEffect, useRef } from 'react';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { isAgentOrPerson, isPersonCard, nameOf } from '../../../../rules/card.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { TriangleAlert } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useVirtualRows } from '../lists/use-virtual-rows.ts';
import type { DifferenceItem } from './difference-items.ts';
import { FieldDifferences } from './field-differences.tsx';
import { differenceIcons } from './legend.tsx';
import styles from './versions.module.css';

type DifferenceListProps = { items: readonly DifferenceItem[]; focusId: string | null; onFocus: (item: DifferenceItem) => void };

const rowHeight = 44;

/** All differences in reading order. The focused one shows its fields. */
export function DifferenceList({ items, focusId, onFocus }: DifferenceListProps) {
  const { t } = useTranslation('versions');
  const rows = useVirtualRows(items.length, rowHeight, (index) => items[index]?.id ?? '');
  const { reveal, scroller, measure, first, end, above, below } = rows;
  const at = items.findIndex(({ id }) => id === focusId);
  const latest = useRef(reveal);
  latest.current = reveal;
  useEffect(() => {
    if (at >= 0) latest.current(at);
  }, [at]);
  return (
    <div ref={scroller} className={styles.scroller}>
      <ul className={styles.differences} aria-label={t('differences')} style={{ paddingTop: above, paddingBottom: below }}>
        {items.slice(first, end).map((item) => (
          <li
            key={item.id}
            ref={measure}
            data-row={item.id}
            className={styles.difference}
            data-kind={item.kind}
            data-record={item.record}
            data-testid="difference"
          >
            <DifferenceRow item={item} isOpen={item.id === focusId} onFocus={onFocus} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function DifferenceRow({ item, isOpen, onFocus }: { item: DifferenceItem; isOpen: boolean; onFocus: (item: DifferenceItem) => void }) {
  const { t } = useTranslation('versions');
  const Icon = differenceIcons[item.kind];
  const node = item.record === 'node' ? (item.now ?? item.before) : undefined;
  return (
    <>
      <button type="button" className={styles.name} aria-expanded={isOpen} onClick={() => onFocus(item)}>
        <span className={styles.sign}>
          <Icon size={12} strokeWidth={2.5} aria-hidden />
        </span>
        <span className={styles.title}>
          {item.record === 'link' ? item.ends.join(' → ') : node ? nameOf(node) || t('untitled') : item.id}
        </span>
        {node && <MissingAgent node={item.record === 'node' ? (item.before ?? node) : node} />}
        <span className={styles.kindWord}>
          {t(item.record === 'link' ? 'link' : 'card')} · {t(`kindOne.${item.kind}`)}
        </span>
      </button>
      {isOpen && <FieldDifferences item={item} />}
    </>
  );
}

/** Says that the agent of a card does not exist any more. */
function MissingAgent({ node }: { node: CanvasNode }) {
  const { t } = useTranslation('versions');
  const isMissing = useWorkspace(
    ({ agents }) =>
      isAgentOrPerson(node) &&
      !isPersonCard(node) &&
      node.serverAgentId !== undefined &&
      agents.status === 'ready' &&
      agents.byId[node.serverAgentId] === undefined,
  );
  if (!isMissing) return null;
  return (
    <span className={styles.missing} data-testid="missing-agent">
      <TriangleAlert size={12} aria-hidden /> {t('agentGone')}
    </span>
  );
}
