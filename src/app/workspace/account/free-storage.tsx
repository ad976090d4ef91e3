import { useState } from 'react';
import type { FreedKind } from '../../../../contract/storage.ts';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { ConfirmDialog } from '../../../ui/controls/overlays/confirm-dialog.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Trash2 } from '../../../ui/icons/icons.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';
import styles from './storage.module.css';

const ages = ['90', '30', '7', '0'] as const;
type Outcome = { removed: number } | { problem: Problem } | null;

/** Removes old runs and unused pipelines of the account, after a confirmation. */
export function FreeStorage({ onFreed }: { onFreed: () => void }) {
  const { t } = useTranslation('storage');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const [age, setAge] = useState<(typeof ages)[number]>('30');
  const [asked, ask] = useState<FreedKind | null>(null);
  const [busy, setBusy] = useState<FreedKind | null>(null);
  const [outcome, setOutcome] = useState<Outcome>(null);

  const free = async (kind: FreedKind) => {
    setBusy(kind);
    setOutcome(null);
    const answer = await dispatch({ type: 'storage.free', kind, olderThanDays: kind === 'runs' ? Number(age) : 0 });
    setBusy(null);
    setOutcome(answer.ok ? { removed: answer.value?.removed ?? 0 } : { problem: answer.error });
    if (answer.ok) onFreed();
  };
  const icon = <Trash2 size={16} aria-hidden />;
  return (
    <section className={styles.free} aria-label={t('free')}>
      <h3>{t('free')}</h3>
      <div className={styles.old}>
        <Select
          label={t('olderThan')}
          value={age}
          options={ages.map((value) => ({ value, label: t(`days.${value}`) }))}
          onChange={setAge}
        />
        <Button icon={icon} busy={busy === 'runs'} onClick={() => ask('runs')}>
          {t('runs.action')}
        </Button>
      </div>
      <Button icon={icon} busy={busy === 'pipelines'} onClick={() => ask('pipelines')}>
        {t('unused.action')}
      </Button>
      {outcome && 'removed' in outcome && <p role="status">{t('removed', { removed: outcome.removed })}</p>}
      {outcome && 'problem' in outcome && <p role="alert">{problemText(outcome.problem)}</p>}
      <ConfirmDialog
        open={asked === 'runs'}
        title={t('runs.title')}
        action={t('words:delete')}
        destructive
        onConfirm={() => void free('runs')}
        onClose={() => ask(null)}
      >
        <p>{age === '0' ? t('runs.textAll') : t('runs.text', { days: age })}</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'pipelines'}
        title={t('unused.title')}
        action={t('words:delete')}
        destructive
        onConfirm={() => void free('pipelines')}
        onClose={() => ask(null)}
      >
        <p>{t('unused.text')}</p>
      </ConfirmDialog>
    </section>
  );
}
