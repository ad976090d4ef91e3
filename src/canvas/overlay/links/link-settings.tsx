import { Popover } from '@base-ui/react/popover';
import { type FormEvent, type ReactNode, type RefObject, useId, useState } from 'react';
import type { CanvasDocument, Connection } from '../../../../contract/canvas.ts';
import { linkHolds, loopRounds, maxLoopRounds } from '../../../../contract/executions/link-values.ts';
import {
  type DataTest,
  dataTestKinds,
  type LinkSettings,
  linkLabelMaxLength,
  loopLimits,
} from '../../../../contract/executions/run-graph.ts';
import { isTestResult } from '../../../../rules/run-graph/choose-links.ts';
import type { Dispatch } from '../../../model/commands.ts';
import { canHold } from '../../../model/document/links/hold-links.ts';
import type { Problem } from '../../../model/problem.ts';
import { leadsBack } from '../../../model/run/leads-back.ts';
import { waysOn } from '../../../model/run/link-meaning.ts';
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

type LoopLimit = (typeof loopLimits)[number];

const holds = ['off', ...linkHolds] as const;

/** The form of a link's settings: when it is taken, whether it repeats what lies between its ends, and whether it holds. */
export function LinkSettingsForm({ link, document, anchor, dispatch, onClose }: Props) {
  const { t } = useTranslation('links');
  return (
    <Popover.Root modal="trap-focus" open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} className={dialog.positioner} side="bottom" sideOffset={10} collisionPadding={12}>
          <Popover.Popup className={dialog.popup} data-canvas-control>
            <Popover.Title className={dialog.popupTitle}>{t('settings')}</Popover.Title>
            <Form
              link={link}
              isBack={leadsBack(document, link)}
              onward={waysOn(
                Object.values(document.connections).filter(({ from }) => from.agentId === link.from.agentId),
                link,
              )}
              begins={!canHold({ ...link, run: {} }, document.nodes[link.from.agentId])}
              dispatch={dispatch}
              onDone={onClose}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

type FormProps = {
  link: Connection;
  isBack: boolean;
  /** The ways that leave the loop, if the link is one. */
  onward: readonly Connection[];
  /** A run begins at the start of the link: there is no result to hold. */
  begins: boolean;
  dispatch: Dispatch;
  onDone: () => void;
};

function Form({ link, isBack, onward, begins, dispatch, onDone }: FormProps) {
  const { t } = useTranslation('links');
  const { t: words } = useTranslation('canvas');
  const repeatId = useId();
  const run = link.run ?? {};
  const [when, setWhen] = useState<Taken>(takenOf(run));
  const [label, setLabel] = useState(run.label ?? '');
  const [test, setTest] = useState<DataTest>(run.test ?? { is: 'contains', value: '' });
  const [repeats, setRepeats] = useState(run.maxRounds !== undefined);
  const [rounds, setRounds] = useState(String(run.maxRounds ?? loopRounds));
  const [wayOn, setWayOn] = useState(onward[0]?.run?.label ?? '');
  const [atLimit, setAtLimit] = useState<LoopLimit>(run.atLimit ?? 'handOn');
  const [hold, setHold] = useState<(typeof holds)[number]>(run.hold ?? 'off');
  const [problem, setProblem] = useState<Problem | null>(null);
  const offersLoop = isBack || run.maxRounds !== undefined;
  const roundsAreValid = /^\d+$/.test(rounds) && Number(rounds) >= 1 && Number(rounds) <= maxLoopRounds;
  const testsTests = when === 'test' && isTestResult(test);
  const isTestComplete = when !== 'test' || testsTests || test.value.trim() !== '';
  const namesWayOn = offersLoop && repeats && onward.length > 0 && (when === 'always' || when === 'label');
  const areTwoNames = !namesWayOn || when === 'always' || wayOn.trim() !== label.trim();
  const isComplete = areTwoNames && (when !== 'label' || label.trim() !== '') && isTestComplete && (!repeats || roundsAreValid);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete) return;
    const outcome = await dispatch({
      type: 'link.update',
      id: link.id,
      ...(namesWayOn && { wayOn: wayOn.trim() }),
      changes: {
        label: when === 'label' || testsTests ? label.trim() || undefined : undefined,
        test: when === 'test' ? (testsTests ? { is: test.is, value: '' } : testOf(test)) : undefined,
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
      <Select label={t('taken')} value={when} options={taken.map((value) => ({ value, label: t(`when.${value}`) }))} onChange={setWhen} />
      {when === 'label' && (
        <TextField
          label={t('words:label')}
          hint={t('labelHint')}
          maxLength={linkLabelMaxLength}
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
      )}
      {when === 'test' && <TestFields test={test} label={label} onTest={setTest} onLabel={setLabel} />}
      {offersLoop && (
        <div className={styles.repeat}>
          <Checkbox id={repeatId} checked={repeats} onChange={(event) => setRepeats(event.target.checked)} />
          <label htmlFor={repeatId}>{t('loop')}</label>
        </div>
      )}
      {offersLoop && repeats && (
        <LoopFields rounds={rounds} isValid={roundsAreValid} atLimit={atLimit} onRounds={setRounds} onAtLimit={setAtLimit}>
          {namesWayOn && (
            <TextField
              label={t('wayOn')}
              hint={t('wayOnHint')}
              maxLength={linkLabelMaxLength}
              value={wayOn}
              error={areTwoNames ? undefined : t('wayOnSame')}
              onChange={(event) => setWayOn(event.target.value)}
            />
          )}
        </LoopFields>
      )}
      {when !== 'failure' && (!begins || hold !== 'off') && (
        <Select
          label={words('link.hold.title')}
          value={hold}
          options={holds.map((value) => ({ value, label: words(`link.hold.${value}`) }))}
          onChange={setHold}
        />
      )}
      <SettingsFoot problem={problem} isComplete={isComplete} />
    </form>
  );
}

type TestFieldsProps = { test: DataTest; label: string; onTest: (test: DataTest) => void; onLabel: (label: string) => void };

/** What a link tests: the executed tests, or a value of the result. */
function TestFields({ test, label, onTest, onLabel }: TestFieldsProps) {
  const { t } = useTranslation('links');
  const { t: words } = useTranslation('canvas');
  const isOfTests = isTestResult(test);
  return (
    <>
      <Select
        label={t('test')}
        value={test.is}
        options={dataTestKinds.map((value) => ({ value, label: words(`link.is.${value}`) }))}
        onChange={(is) => onTest({ ...test, is })}
      />
      {!isOfTests && test.is !== 'fileExists' && (
        <TextField
          label={t('field')}
          hint={t('fieldHint')}
          maxLength={200}
          spellCheck={false}
          value={test.field ?? ''}
          onChange={(event) => onTest({ ...test, field: event.target.value })}
        />
      )}
      {!isOfTests && (
        <TextField
          label={t(test.is === 'fileExists' ? 'path' : 'words:value')}
          maxLength={1_000}
          value={test.value}
          onChange={(event) => onTest({ ...test, value: event.target.value })}
        />
      )}
      {isOfTests && (
        <TextField
          label={t('testLabel')}
          hint={t('testLabelHint')}
          maxLength={linkLabelMaxLength}
          value={label}
          onChange={(event) => onLabel(event.target.value)}
        />
      )}
    </>
  );
}

type LoopFieldsProps = {
  rounds: string;
  isValid: boolean;
  atLimit: LoopLimit;
  onRounds: (rounds: string) => void;
  onAtLimit: (atLimit: LoopLimit) => void;
  /** The name of the way out of the loop. */
  children: ReactNode;
};

/** How often a loop repeats, and what follows after the last round. */
function LoopFields({ rounds, isValid, atLimit, onRounds, onAtLimit, children }: LoopFieldsProps) {
  const { t } = useTranslation('links');
  return (
    <>
      <TextField
        label={t('maxRounds')}
        type="number"
        inputMode="numeric"
        min={1}
        max={maxLoopRounds}
        value={rounds}
        error={isValid ? undefined : t('roundsRange', { most: maxLoopRounds })}
        onChange={(event) => onRounds(event.target.value)}
      />
      {children}
      <Select
        label={t('atLimit')}
        value={atLimit}
        options={loopLimits.map((value) => ({ value, label: t(`limit.${value}`) }))}
        onChange={onAtLimit}
      />
    </>
  );
}

function testOf({ field = '', is, value }: DataTest): DataTest {
  return { ...(field.trim() !== '' && { field: field.trim() }), is, value: value.trim() };
}

function takenOf({ label, test, onFailure }: LinkSettings): Taken {
  if (onFailure) return 'failure';
  return test ? 'test' : label === undefined ? 'always' : 'label';
}
