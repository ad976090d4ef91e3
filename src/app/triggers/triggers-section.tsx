import { Suspense, useEffect, useRef, useState } from 'react';
import type { Trigger, TriggerKind } from '../../../contract/trigger.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { ArrowLeft } from '../../ui/icons/icons.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import { ReadProblem } from '../server-data/read-problem.tsx';
import { TriggerForm } from './trigger-form.tsx';
import { viewOfKind } from './trigger-kinds.tsx';
import { NewTrigger, TriggerList } from './trigger-list.tsx';
import { TriggerView } from './trigger-view.tsx';
import styles from './triggers.module.css';
import { type Triggers, useTriggers } from './use-triggers.ts';

/** `from`: what was shown before, which gets the focus: a trigger, or the kind of a new one. */
type Shown =
  | { kind: 'list'; from: string | null }
  | { kind: 'one'; id: string }
  | { kind: 'edit'; id: string }
  | { kind: 'new'; of: TriggerKind };

/** What starts runs of the project by itself. L4.02 */
export function TriggersSection({ projectId, triggerId: first }: { projectId: string; triggerId: string | null }) {
  const { t } = useTranslation('triggers');
  const [shown, setShown] = useState<Shown>(first === null ? { kind: 'list', from: null } : { kind: 'one', id: first });
  const openId = shown.kind === 'one' ? shown.id : null;
  const triggers = useTriggers(projectId, openId);
  const { list, problem, details, teams } = triggers;
  const items = list.value ?? [];
  if (!list.value && !list.problem) return <Loading text={t('common:loading')} className={styles.note} />;
  const listed = 'id' in shown ? items.find(({ id }) => id === shown.id) : undefined;
  // What is open is read more often.
  const trigger = listed && details?.id === listed.id ? details : listed;
  const isList = shown.kind === 'list' || (trigger === undefined && shown.kind !== 'new');
  return (
    <div className={styles.parts} data-testid="triggers">
      <ReadProblem remote={list} problem={problem} className={styles.problem} />
      {isList && list.value && (
        <>
          <p className={styles.note}>{t('lead')}</p>
          <TriggerList
            triggers={triggers}
            focusOn={shown.kind === 'list' ? shown.from : null}
            onOpen={(id) => setShown({ kind: 'one', id })}
          />
          <NewTrigger
            hasTeams={teams.length > 0}
            focusOn={shown.kind === 'list' ? shown.from : null}
            onChoose={(of) => setShown({ kind: 'new', of })}
          />
        </>
      )}
      {!isList && (
        <>
          <Heading trigger={trigger} shown={shown} onBack={() => setShown(before(shown))} />
          {/* Its parts have texts of their own, which may still load. */}
          <Suspense fallback={<Loading text={t('common:loading')} className={styles.note} />}>
            {shown.kind === 'one' && trigger && (
              <TriggerView
                trigger={trigger}
                triggers={triggers}
                onEdit={() => setShown({ kind: 'edit', id: trigger.id })}
                onGone={() => setShown({ kind: 'list', from: null })}
              />
            )}
            {shown.kind !== 'one' && <Form {...{ triggers, shown, trigger, setShown }} />}
          </Suspense>
        </>
      )}
    </div>
  );
}

function before(shown: Shown): Shown {
  if (shown.kind === 'edit') return { kind: 'one', id: shown.id };
  return { kind: 'list', from: shown.kind === 'one' ? shown.id : shown.kind === 'new' ? shown.of : null };
}

type FormProps = {
  triggers: Triggers;
  shown: Shown;
  trigger: Trigger | undefined;
  setShown: (shown: Shown) => void;
};

function Form({ triggers, shown, trigger, setShown }: FormProps) {
  const kind = shown.kind === 'new' ? shown.of : trigger?.kind;
  if (kind === undefined) return null;
  const { Above } = viewOfKind({ kind });
  return (
    <>
      {Above && <Above projectId={triggers.projectId} />}
      <TriggerForm
        triggers={triggers}
        kind={kind}
        trigger={trigger ?? null}
        onSubmit={async (given) => {
          if (trigger) {
            if (await triggers.change(trigger.id, given)) setShown({ kind: 'one', id: trigger.id });
          } else {
            const made = await triggers.create(given);
            if (made) setShown({ kind: 'one', id: made.id });
          }
        }}
        onCancel={() => setShown(before(shown))}
      />
    </>
  );
}

/** The name of what is shown, which gets the focus when it comes, and the way back. */
function Heading({ trigger, shown, onBack }: { trigger: Trigger | undefined; shown: Shown; onBack: () => void }) {
  const { t } = useTranslation('triggers');
  const heading = useRef<HTMLHeadingElement>(null);
  const isOne = shown.kind === 'one';
  useEffect(() => {
    if (isOne) heading.current?.focus();
  }, [isOne]);
  return (
    <div className={styles.heading}>
      <Button size="s" variant="ghost" icon={<ArrowLeft size={16} aria-hidden />} onClick={onBack}>
        {t(shown.kind === 'edit' ? 'back' : 'all')}
      </Button>
      <h3 ref={heading} tabIndex={-1}>
        {trigger?.name ?? (shown.kind === 'new' && t(`kind.${shown.of}.title`))}
      </h3>
    </div>
  );
}
