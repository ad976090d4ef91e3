import { Select } from '../../../ui/controls/fields/select.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import styles from './history.module.css';
import { historyTrigger, useHistoryTrigger } from './history-trigger.ts';

const all = 'all';

/** Leaves the runs of one trigger in the history. L4.09 */
export function TriggerFilter() {
  const { t } = useTranslation('start-triggers');
  const projectId = useWorkspace(({ project }) => project?.id ?? '');
  const items = useWorkspace(({ history }) => history.items);
  const chosen = useHistoryTrigger();
  // Later names win: a trigger may have got another one.
  const names = new Map([
    ...items.flatMap(({ trigger }) => (trigger ? [[trigger.id, trigger.name] as const] : [])),
    ...(chosen ? [[chosen.id, chosen.name] as const] : []),
  ]);
  return (
    <div className={styles.ofTrigger}>
      <Select
        label={t('history.label')}
        labelHidden
        value={chosen?.id ?? all}
        options={[
          { value: all, label: t('history.all') },
          ...[...names].map(([value, name]) => ({ value, label: t('history.by', { name }) })),
        ]}
        onChange={(id) => historyTrigger.set(id === all ? null : { projectId, id, name: names.get(id) ?? '' })}
      />
    </div>
  );
}

export function NoneOfTrigger() {
  return useTranslation('start-triggers').t('history.none');
}

/** What has started a run by itself. */
export function StartedBy({ name }: { name: string }) {
  const { t } = useTranslation('start-triggers');
  return <span className={styles.outcome}>↳ {t('history.by', { name })}</span>;
}
