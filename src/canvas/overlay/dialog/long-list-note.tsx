import { Suspense, useMemo } from 'react';
import { maxListItems } from '../../../../contract/executions/run-graph.ts';
import { nameOf } from '../../../../rules/card.ts';
import { graphFor, isLongTask, joinItems, longListOf } from '../../../model/run/plan/task-list.ts';
import { startersOf } from '../../../model/run/starters/starters-of.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useStoreValue } from '../../use-store-value.ts';
import styles from './dialog-form.module.css';
import { maxMessageLength } from './use-message.ts';

type LongListNoteProps = {
  store: WorkspaceStore;
  /** What the run begins with, as in `run.start`. */
  begins: { dialogNodeId?: string | null; startNodeId?: string | undefined; cardId?: string | undefined };
  task: string;
  onChange: (task: string) => void;
};

/** Says where a task is written that a group cannot work through all its items, and joins them in one press. D4.11 */
export function LongListNote(props: LongListNoteProps) {
  const { task } = props;
  // Usually a task is short, and no canvas is planned.
  const isLong = useMemo(() => task.length > maxListItems && isLongTask(task), [task]);
  return isLong ? (
    <Suspense fallback={null}>
      <Note {...props} />
    </Suspense>
  ) : null;
}

function Note({ store, begins: { dialogNodeId, startNodeId, cardId }, task, onChange }: LongListNoteProps) {
  const { t } = useTranslation('participation');
  const document = useStoreValue(store, (state) => state.document);
  const graph = useMemo(() => {
    const card = cardId === undefined ? undefined : document.nodes[cardId];
    return graphFor(document, card ? { dialog: null, starts: [card] } : startersOf(document, { dialogNodeId, startNodeId }));
  }, [document, dialogNodeId, startNodeId, cardId]);
  const long = longListOf(graph, task);
  const group = document.nodes[long?.groupId ?? ''];
  if (!long || !group) return null;
  const joined = joinItems(task, maxMessageLength);
  return (
    <div className={styles.note} role="status" data-testid="long-list">
      <p className={styles.said}>{t('longList', { group: nameOf(group), items: long.items, most: maxListItems })}</p>
      {joined && (
        <Button size="xs" onClick={() => onChange(joined.task)}>
          {t('cure.joinItems', { count: joined.each })}
        </Button>
      )}
    </div>
  );
}
