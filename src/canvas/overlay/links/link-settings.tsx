import { Popover } from '@base-ui/react/popover';
import { type FormEvent, type RefObject, useId, useState } from 'react';
import type { CanvasDocument, Connection } from '../../../../contract/canvas.ts';
import {
  type DataTest,
  dataTestKinds,
  type LinkSettings,
  linkHolds,
  linkLabelMaxLength,
  loopLimits,
  loopRounds,
  maxLoopRounds,
} from '../../../../contract/executions/run-graph.ts';
import type { Dispatch } from '../../../model/commands.ts';
import type { Problem } from '../../../model/problem.ts';
import { leadsBack } from '../../../model/run/leads-back.ts';
import { Checkbox } from '../../../ui/controls/fields/checkbox.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import dialog from '../dialog/dialog-form.module.css';
import { SettingsFoot } from '../settings-foot.tsx';
import styles from './link-settings.module.css';

type Props = {
  link: Connection;
  document: CanvasDocument;
  anchor: RefObject<HTMLElement | null>;
  dispatch: Dispatch;
  onClose: () => void;
};

const taken = ['always', 'label', 'test', 'failure'] as const;
type Taken = (typeof taken)[number];

const holds = ['off', ...linkHolds] as const;

/** The form of a link's settings: when it is taken, whether it repeats what lies between its ends, and whether it holds. */
export function LinkSettingsForm({ link, document, anchor, dispatch, onClose }: Props) {
  const { t } = useTranslation('canvas');
  return (
    <Popover.Root modal="trap-focus" open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} className={dialog.positioner} side="bottom" sideOffset={10} collisionPadding={12}>
          <Popover.Popup className={dialog.popup} data-canvas-control>
            <Popover.Title className={dialog.popupTitle}>{t('link.settings')}</Popover.Title>
            <Form link={link} isBack={leadsBack(document, link)} dispatch={dispatch} onDone={onClose} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Form({ link, isBack, dispatch, onDone }: { link: Connection; isBack: boolean; dispatch: Dispatch; onDone: () => void }) {
  const { t } = useTranslation('canvas');
  const repeatId = useId();
  const run = link.run ?? {};
  const [when, setWhen] = useState<Taken>(takenOf(run));
  const [label, setLabel] = useState(run.label ?? '');
  const [test, setTest] = useState<DataTest>(run.test ?? { is: 'contains', value: '' });
  const [repeats, setRepeats] = useState(run.maxRounds !== undefined);
  const [rounds, setRounds] = useState(String(run.maxRounds ?? loopRounds));
  const [atLimit, setAtLimit] = useState(run.atLimit ?? 'handOn');
  const [hold, setHold] = useState<(typeof holds)[number]>(run.hold ?? 'off');
  const [problem, setProblem] = useState<Problem | null>(null);
  const offersLoop = isBack || run.maxRounds !== undefined;
  const roundsAreValid = /^\d+$/.test(rounds) && Number(rounds) >= 1 && Number(rounds) <= maxLoopRounds;
  const isComplete =
    (when !== 'label' || label.trim() !== '') && (when !== 'test' || test.value.trim() !== '') && (!repeats || roundsAreValid);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete) return;
    const field = test.field?.trim();
    const outcome = await dispatch({
      type: 'link.update',
      id: link.id,
      changes: {
        label: when === 'label' ? label.trim() : undefined,
        test: when === 'test' ? { ...(field && { field }), is: test.is, value: test.value.trim() } : undefined,
        onFailure: when === 'failure' ? true : undefined,
        hold: when === 'failure' || hold === 'off' ? undefined : hold,
        maxRounds: offersLoop && repeats ? Number(rounds) : undefined,
        atLimit: offersLoop && repeats && atLimit !== 'handOn' ? atLimit : undefined,
      },
    });
    if (outcome.ok) onDone();
    else setProblem(outcome.error);
  };

  return (
    <form className={dialog.form} onSubmit={(event) => void save(event)}>
      <Select
        label={t('link.taken')}
        value={when}
        options={taken.map((value) => ({ value, label: t(`link.when.${value}`) }))}
        onChange={setWhen}
      />
      {when === 'label' && (
        <TextField
          label={t('link.label')}
          hint={t('link.labelHint')}
          maxLength={linkLabelMaxLength}
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
      )}
      {when === 'test' && (
        <>
          <Select
            label={t('link.test')}
            value={test.is}
            options={dataTestKinds.map((value) => ({ value, label: t(`link.is.${value}`) }))}
            onChange={(is) => setTest({ ...test, is })}
          />
          {test.is !== 'fileExists' && (
            <TextField
              label={t('link.field')}
              hint={t('link.fieldHint')}
              maxLength={200}
              spellCheck={false}
              value={test.field ?? ''}
              onChange={(event) => setTest({ ...test, field: event.target.value })}
            />
          )}
          <TextField
            label={t(test.is === 'fileExists' ? 'link.path' : 'link.value')}
            maxLength={1_000}
            value={test.value}
            onChange={(event) => setTest({ ...test, value: event.target.value })}
          />
        </>
      )}
      {offersLoop && (
        <div className={styles.repeat}>
          <Checkbox id={repeatId} checked={repeats} onChange={(event) => setRepeats(event.target.checked)} />
          <label htmlFor={repeatId}>{t('link.loop')}</label>
        </div>
      )}
      {offersLoop && repeats && (
        <>
          <TextField
            label={t('link.maxRounds')}
            type="number"
            inputMode="numeric"
            min={1}
            max={maxLoopRounds}
            value={rounds}
            error={roundsAreValid ? undefined : t('link.roundsRange', { most: maxLoopRounds })}
            onChange={(event) => setRounds(event.target.value)}
          />
          <Select
            label={t('link.atLimit')}
            value={atLimit}
            options={loopLimits.map((value) => ({ value, label: t(`link.limit.${value}`) }))}
            onChange={setAtLimit}
          />
        </>
      )}
      {when !== 'failure' && (
        <Select
          label={t('link.hold.title')}
          value={hold}
          options={holds.map((value) => ({ value, label: t(`link.hold.${value}`) }))}
          onChange={setHold}
        />
      )}
      <SettingsFoot problem={problem} isComplete={isComplete} />
    </form>
  );
}

function takenOf({ label, test, onFailure }: LinkSettings): Taken {
  if (onFailure) return 'failure';
  return test ? 'test' : label === undefined ? 'always' : 'label';
}
