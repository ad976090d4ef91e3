import { useEffect, useRef } from 'react';
import type { Trigger, TriggerKind } from '../../../contract/trigger.ts';
import { Badge } from '../../ui/controls/badge.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Switch } from '../../ui/controls/fields/switch.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Rocket } from '../../ui/icons/icons.ts';
import { limitFigures } from '../workspace/budgets/budget-figures.ts';
import { usePanels } from '../workspace/frame/panels.tsx';
import { AmountBar } from '../workspace/marks/amount-bar.tsx';
import { tones } from './fires.tsx';
import { triggerIcons, zoneOf } from './trigger-icons.ts';
import { offeredKinds, viewOfKind } from './trigger-kinds.tsx';
import styles from './triggers.module.css';
import { useInstantText } from './use-instant-text.ts';
import type { Triggers } from './use-triggers.ts';

/** `focusOn`: the trigger that was shown before. */
type TriggerListProps = { triggers: Triggers; focusOn: string | null; onOpen: (id: string) => void };

/** The triggers of a project with what each does next, and its last outcome. L4.02 */
export function TriggerList({ triggers, focusOn, onOpen }: TriggerListProps) {
  const { t } = useTranslation('triggers');
  const items = triggers.list.value ?? [];
  if (items.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={t('list')}>
      {items.map((trigger) => (
        <TriggerRow
          key={trigger.id}
          trigger={trigger}
          triggers={triggers}
          hasFocus={focusOn === trigger.id}
          onOpen={() => onOpen(trigger.id)}
        />
      ))}
    </ul>
  );
}

type TriggerRowProps = { trigger: Trigger; triggers: Triggers; hasFocus: boolean; onOpen: () => void };

function TriggerRow({ trigger, triggers, hasFocus, onOpen }: TriggerRowProps) {
  const { t, language } = useTranslation('triggers');
  const { isBusy } = triggers;
  const instantText = useInstantText();
  const { id, name, kind, settings, team, pausedAt, pausedReason, nextAt, lastFire } = trigger;
  const Icon = triggerIcons[kind];
  const { words, waits } = viewOfKind(settings);
  const button = useFocusAtFirst(hasFocus);
  const facts = [
    team?.title ?? t('view.teamGone'),
    words?.(settings, t, language),
    pausedAt !== null
      ? t(`paused.short.${pausedReason ?? 'owner'}`)
      : (waits?.(t) ?? (nextAt && t('row.next', { at: instantText(nextAt, zoneOf(settings)) }))),
  ];
  return (
    <li className={styles.row} data-off={pausedAt !== null || undefined}>
      <span className={styles.tile} aria-hidden>
        <Icon size={18} />
      </span>
      <div className={styles.words}>
        <button type="button" ref={button} className={styles.name} onClick={onOpen}>
          {name}
        </button>
        <span className={styles.note} data-paused={(pausedAt !== null && pausedReason !== 'owner') || undefined}>
          {facts.filter(Boolean).join(' · ')}
        </span>
      </div>
      <div className={styles.side}>
        {lastFire && <Badge tone={tones[lastFire.outcome]}>{t(`outcome.${lastFire.outcome}`)}</Badge>}
        <BudgetMeter trigger={trigger} />
      </div>
      <Switch
        labelHidden
        label={t('row.on', { name })}
        checked={pausedAt === null}
        disabled={isBusy || (pausedAt !== null && team === null)}
        onChange={(isOn) => void triggers.change(id, { isOn })}
      />
    </li>
  );
}

/** The limit of the day that is nearest. */
function BudgetMeter({ trigger: { budget } }: { trigger: Trigger }) {
  const { t, language } = useTranslation('triggers');
  const nearest = budget && limitFigures(budget, language).toSorted((one, other) => other.percent - one.percent)[0];
  if (!nearest) return null;
  const { name, used, state, usedText, limitText } = nearest;
  return (
    <span className={styles.meter}>
      <span>
        {t(`row.budget.${name}`, { used: usedText, limit: limitText })} <span className="visually-hidden">{t('row.budgetOfDay')}</span>
      </span>
      <AmountBar state={state} used={used} />
    </span>
  );
}

type NewTriggerProps = { hasTeams: boolean; focusOn: string | null; onChoose: (kind: TriggerKind) => void };

/** The kinds of a new trigger. Without a released team there is nothing to start. */
export function NewTrigger({ hasTeams, focusOn, onChoose }: NewTriggerProps) {
  const { t } = useTranslation('triggers');
  const { show } = usePanels();
  if (!hasTeams)
    return (
      <div className={styles.box}>
        <p>{t('noTeams')}</p>
        <div className={styles.act}>
          <Button
            variant="primary"
            size="s"
            icon={<Rocket size={15} aria-hidden />}
            onClick={() => show({ window: { kind: 'connect', section: 'teams' } })}
          >
            {t('release')}
          </Button>
        </div>
      </div>
    );
  return (
    <section className={styles.section} aria-label={t('add')}>
      <h4>{t('add')}</h4>
      <ul className={styles.kinds}>
        {offeredKinds.map((kind) => (
          <KindChoice key={kind} kind={kind} hasFocus={focusOn === kind} onChoose={() => onChoose(kind)} />
        ))}
      </ul>
    </section>
  );
}

function KindChoice({ kind, hasFocus, onChoose }: { kind: TriggerKind; hasFocus: boolean; onChoose: () => void }) {
  const { t } = useTranslation('triggers');
  const button = useFocusAtFirst(hasFocus);
  const Icon = triggerIcons[kind];
  return (
    <li>
      <button ref={button} type="button" className={styles.kind} onClick={onChoose}>
        <span className={styles.tile} aria-hidden>
          <Icon size={18} />
        </span>
        <strong>{t(`kind.${kind}.title`)}</strong>
        <small>{t(`kind.${kind}.text`)}</small>
      </button>
    </li>
  );
}

/** Gives the button the focus when it comes, if what was shown before has been opened by it. */
function useFocusAtFirst(isWanted: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const atFirst = useRef(isWanted);
  useEffect(() => {
    if (atFirst.current) button.current?.focus();
  }, []);
  return button;
}
