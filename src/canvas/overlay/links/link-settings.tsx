import { Popover } from '@base-ui/react/popover';
import { type RefObject, useEffect, useId, useState } from 'react';
import { z } from 'zod';
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
import type { Command, Dispatch } from '../../../model/commands.ts';
import { canHold } from '../../../model/document/links/hold-links.ts';
import type { Problem } from '../../../model/problem.ts';
import { leadsBack } from '../../../model/run/leads-back.ts';
import { waysOn } from '../../../model/run/link-meaning.ts';
import { Checkbox } from '../../../ui/controls/fields/checkbox.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { FormSelect, FormText } from '../../../ui/form/form-fields.tsx';
import { useZodForm, type ZodForm } from '../../../ui/form/use-zod-form.ts';
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

/** The settings as they are typed. */
type LinkDraft = {
  when: Taken;
  label: string;
  test: DataTest;
  repeats: boolean;
  rounds: string;
  wayOn: string;
  atLimit: (typeof loopLimits)[number];
  hold: (typeof holds)[number];
};
type LinkUpdate = Pick<Extract<Command, { type: 'link.update' }>, 'wayOn' | 'changes'>;

/** The form of a link's settings: when it is taken, whether it repeats what lies between its ends, and whether it holds. */
export function LinkSettingsForm({ link, document, anchor, dispatch, onClose }: Props) {
  const { t } = useTranslation('links');
  return (
    <Popover.Root modal="trap-focus" open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} className={dialog.positioner} side="bottom" sideOffset={10} collisionPadding={12}>
          <Popover.Popup className={dialog.popup} data-canvas-control>
            <Popover.Title className={dialog.popupTitle}>{t('settings')}</Popover.Title>
            <SettingsForm
              link={link}
              offersLoop={leadsBack(document, link) || link.run?.maxRounds !== undefined}
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
  offersLoop: boolean;
  /** The ways that leave the loop, if the link is one. */
  onward: readonly Connection[];
  /** A run begins at the start of the link: there is no result to hold. */
  begins: boolean;
  dispatch: Dispatch;
  onDone: () => void;
};

function SettingsForm({ link, offersLoop, onward, begins, dispatch, onDone }: FormProps) {
  const { t } = useTranslation('links');
  const { t: words } = useTranslation('canvas');
  const repeatId = useId();
  const hasWays = offersLoop && onward.length > 0;
  const form = useZodForm(linkFields(hasWays), draftOf(link.run ?? {}, onward), 'onChange');
  const [problem, setProblem] = useState<Problem | null>(null);
  const draft = form.watch();
  const { when, repeats, hold } = draft;
  // What is wrong is said from the start.
  useEffect(() => void form.trigger(), [form]);

  const save = async (update: LinkUpdate) => {
    const outcome = await dispatch({ type: 'link.update', id: link.id, ...update });
    if (outcome.ok) onDone();
    else setProblem(outcome.error);
  };
  // The two names of a choice differ.
  const compareNames = () => void form.trigger('wayOn');
  return (
    <Form form={form} className={dialog.form} onSubmit={save}>
      <FormSelect
        {...{ form, name: 'when', onEdit: compareNames }}
        label={t('taken')}
        options={taken.map((value) => ({ value, label: t(`when.${value}`) }))}
      />
      {when === 'label' && (
        <FormText
          {...{ form, name: 'label', maxLength: linkLabelMaxLength, onEdit: compareNames }}
          label={t('words:label')}
          hint={t('labelHint')}
        />
      )}
      {when === 'test' && <TestFields form={form} />}
      {offersLoop && (
        <div className={styles.repeat}>
          <Checkbox id={repeatId} {...form.register('repeats', { onChange: compareNames })} />
          <label htmlFor={repeatId}>{t('loop')}</label>
        </div>
      )}
      {offersLoop && repeats && (
        <>
          <FormText
            {...{ form, name: 'rounds', type: 'number', inputMode: 'numeric', min: 1, max: maxLoopRounds }}
            label={t('maxRounds')}
            error={t('roundsRange', { most: maxLoopRounds })}
          />
          {namesWayOn(draft, hasWays) && (
            <FormText
              {...{ form, name: 'wayOn', maxLength: linkLabelMaxLength }}
              label={t('wayOn')}
              hint={t('wayOnHint')}
              error={t('wayOnSame')}
            />
          )}
          <FormSelect
            {...{ form, name: 'atLimit' }}
            label={t('atLimit')}
            options={loopLimits.map((value) => ({ value, label: t(`limit.${value}`) }))}
          />
        </>
      )}
      {when !== 'failure' && (!begins || hold !== 'off') && (
        <FormSelect
          {...{ form, name: 'hold' }}
          label={words('link.hold.title')}
          options={holds.map((value) => ({ value, label: words(`link.hold.${value}`) }))}
        />
      )}
      <SettingsFoot problem={problem} isComplete={form.formState.isValid} />
    </Form>
  );
}

/** What a link tests: the executed tests, or a value of the result. */
function TestFields({ form }: { form: ZodForm<LinkDraft, LinkUpdate> }) {
  const { t } = useTranslation('links');
  const { t: words } = useTranslation('canvas');
  const test = form.watch('test');
  const isOfTests = isTestResult(test);
  return (
    <>
      <FormSelect
        {...{ form, name: 'test.is' }}
        label={t('test')}
        options={dataTestKinds.map((value) => ({ value, label: words(`link.is.${value}`) }))}
      />
      {!isOfTests && test.is !== 'fileExists' && (
        <FormText {...{ form, name: 'test.field', maxLength: 200, spellCheck: false }} label={t('field')} hint={t('fieldHint')} />
      )}
      {!isOfTests && (
        <FormText {...{ form, name: 'test.value', maxLength: 1_000 }} label={t(test.is === 'fileExists' ? 'path' : 'words:value')} />
      )}
      {isOfTests && (
        <FormText {...{ form, name: 'label', maxLength: linkLabelMaxLength }} label={t('testLabel')} hint={t('testLabelHint')} />
      )}
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

function draftOf(run: LinkSettings, [first]: readonly Connection[]): LinkDraft {
  return {
    when: takenOf(run),
    label: run.label ?? '',
    test: { field: '', ...(run.test ?? { is: 'contains', value: '' }) },
    repeats: run.maxRounds !== undefined,
    rounds: String(run.maxRounds ?? loopRounds),
    wayOn: first?.run?.label ?? '',
    atLimit: run.atLimit ?? 'handOn',
    hold: run.hold ?? 'off',
  };
}

/** Whether the way out of a loop gets a name. */
function namesWayOn({ when, repeats }: LinkDraft, hasWays: boolean): boolean {
  return hasWays && repeats && (when === 'always' || when === 'label');
}

const linkFields = (hasWays: boolean) =>
  z.custom<LinkDraft>().transform((draft, { addIssue }): LinkUpdate => {
    const { when, test, repeats, hold, atLimit } = draft;
    const [label, rounds, wayOn] = [draft.label.trim(), Number(draft.rounds), draft.wayOn.trim()];
    const testsTests = when === 'test' && isTestResult(test);
    const isNamed = namesWayOn(draft, hasWays);
    if (when === 'label' && label === '') addIssue({ code: 'custom', path: ['label'] });
    if (when === 'test' && !testsTests && test.value.trim() === '') addIssue({ code: 'custom', path: ['test', 'value'] });
    if (repeats && !(/^\d+$/.test(draft.rounds) && rounds >= 1 && rounds <= maxLoopRounds)) addIssue({ code: 'custom', path: ['rounds'] });
    if (isNamed && when === 'label' && wayOn === label) addIssue({ code: 'custom', path: ['wayOn'] });
    return {
      ...(isNamed && { wayOn }),
      changes: {
        label: when === 'label' || testsTests ? label || undefined : undefined,
        test: when === 'test' ? (testsTests ? { is: test.is, value: '' } : testOf(test)) : undefined,
        onFailure: when === 'failure' ? true : undefined,
        hold: when === 'failure' || hold === 'off' ? undefined : hold,
        maxRounds: repeats ? rounds : undefined,
        atLimit: repeats && atLimit !== 'handOn' ? atLimit : undefined,
      },
    };
  });
