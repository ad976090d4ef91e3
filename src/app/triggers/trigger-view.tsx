import { type ReactNode, useState } from 'react';
import type { Trigger, TriggerDetails } from '../../../contract/trigger.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Facts } from '../../ui/controls/facts.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { History, PencilLine, Trash2 } from '../../ui/icons/icons.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import { LimitBars } from '../workspace/budgets/limit-bars.tsx';
import { usePanels } from '../workspace/frame/panels.tsx';
import { historyTrigger } from '../workspace/history/history-trigger.ts';
import { Fires } from './fires.tsx';
import { SpanCost } from './forecast.tsx';
import { NextInstants } from './next-instants.tsx';
import { zoneOf } from './trigger-icons.ts';
import { viewOfKind } from './trigger-kinds.tsx';
import { TriggerState } from './trigger-state.tsx';
import styles from './triggers.module.css';
import type { Triggers } from './use-triggers.ts';

type TriggerViewProps = { trigger: Trigger; triggers: Triggers; onEdit: () => void; onGone: () => void };

/** All that is known of a trigger: when it fires, how programs reach it, what it may use, and what came in. L4.02 */
export function TriggerView({ trigger, triggers, onEdit, onGone }: TriggerViewProps) {
  const { t, language } = useTranslation('triggers');
  const { details } = triggers;
  const { budget, team } = trigger;
  const { words, hasBody, Part } = viewOfKind(trigger.settings);
  return (
    <div className={styles.parts}>
      <TriggerState trigger={trigger} triggers={triggers} />
      <Facts
        className={styles.facts}
        facts={[
          [t('words:kind'), t(`kind.${trigger.kind}.name`)],
          [t('releasedTeam'), team?.title ?? t('view.teamGone')],
          [t('view.when'), words && `${words(trigger.settings, t, language)} · ${zoneOf(trigger.settings)}`],
        ]}
      />
      {details === null ? <Loading text={t('common:loading')} className={styles.note} /> : <Schedule details={details} />}
      {Part && <Part key={trigger.id} trigger={trigger} settings={trigger.settings} triggers={triggers} />}
      {budget && (
        <Section title={t('view.budget')}>
          <LimitBars budget={budget} />
        </Section>
      )}
      {details && (
        <Section title={t('fires.title')}>
          <Fires trigger={trigger} fires={details.fires} needsBody={hasBody} triggers={triggers} />
        </Section>
      )}
      <Acts trigger={trigger} triggers={triggers} onEdit={onEdit} onGone={onGone} />
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h4>{title}</h4>
      {children}
    </section>
  );
}

function Schedule({ details: { settings, next, firesADay, costOfRun } }: { details: TriggerDetails }) {
  if (next.length === 0) return null;
  return (
    <div className={styles.preview}>
      <NextInstants preview={{ state: 'ready', zone: zoneOf(settings), next, firesADay: firesADay ?? 0 }} />
      {firesADay !== null && <SpanCost costOfRun={costOfRun} firesADay={firesADay} />}
    </div>
  );
}

/** What a person can do with a trigger. Its removal asks first. */
function Acts({ trigger, triggers, onEdit, onGone }: TriggerViewProps) {
  const { t } = useTranslation('triggers');
  const { isBusy } = triggers;
  const { show } = usePanels();
  const [isAsking, setAsking] = useState(false);
  const { id, name, projectId } = trigger;
  const showRuns = () => {
    historyTrigger.set({ projectId, id, name });
    show({ window: null, history: true });
  };
  if (isAsking)
    return (
      <div className={styles.asking}>
        <p>{t('remove.text')}</p>
        <div className={styles.act}>
          <Button size="s" variant="danger" busy={isBusy} onClick={() => void triggers.remove(id, onGone)}>
            {t('remove.forGood', { name })}
          </Button>
          <Button size="s" autoFocus onClick={() => setAsking(false)}>
            {t('words:keep')}
          </Button>
        </div>
      </div>
    );
  return (
    <div className={styles.act}>
      <Button size="s" icon={<PencilLine size={15} aria-hidden />} onClick={onEdit}>
        {t('words:edit')}
      </Button>
      <Button size="s" icon={<History size={15} aria-hidden />} onClick={showRuns}>
        {t('view.history')}
      </Button>
      <Button size="s" variant="ghost" icon={<Trash2 size={15} aria-hidden />} onClick={() => setAsking(true)}>
        {t('words:removeForGood')}
      </Button>
    </div>
  );
}
