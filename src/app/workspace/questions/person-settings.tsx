import { type FormEvent, useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useImmer } from 'use-immer';
import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { maxPersonButtons, maxPersonInputs, maxQuestionMinutes } from '../../../../contract/executions/run-graph.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { Switch } from '../../../ui/controls/fields/switch.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Plus, Trash2 } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useRead } from '../../server-data/use-read.ts';
import { usePanels } from '../panels.tsx';
import { useSend } from '../use-send.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import { choiceLimits, draftOf, type InputDraft, newInput, type PersonDraft, problemsOf, settingsOf } from './person-draft.ts';
import styles from './questions.module.css';

/** The settings of a user's card: whether it asks a person in a run, and what. */
export function PersonCardSettings() {
  const { panels, show } = usePanels();
  const nodeId = panels.window?.kind === 'person' ? panels.window.nodeId : null;
  const node = useWorkspace((state) => (nodeId === null ? undefined : state.document.nodes[nodeId]));
  return node ? <Settings key={node.id} node={node} onClose={() => show({ window: null })} /> : null;
}

const inputTypes = ['text', 'choice', 'number', 'file'] as const;
/** The settings as they are edited; `isChecked` once they were to be saved. */
type Draft = PersonDraft & { isChecked: boolean };

function Settings({ node, onClose }: { node: CanvasNode; onClose: () => void }) {
  const { t } = useTranslation('questions');
  const { readOnly } = useWorkspaceContext();
  const locked = useWorkspace((state) => isLocked(state.run));
  const document = useWorkspace((state) => state.document);
  const { labels, hasOtherwise } = buttonsOf(node, document);
  const buttons = labels.length + (hasOtherwise ? 1 : 0);
  const { form, draft, wrong, problem, change, changeInput, addInput, removeInput, save } = useCardSettings(node, onClose);
  const formId = useId();
  const profile = useRead('auth.profile', draft.email.trim() === '' ? null : {});
  const isUnconfirmed = profile.value?.emailVerified === false;

  return (
    <Modal
      open
      onClose={onClose}
      size="m"
      title={t('card.title', { name: node.title })}
      description={t('card.about')}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} disabled={locked || readOnly}>
            {t('words:save')}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} className={styles.form} data-testid="person-settings" noValidate onSubmit={save}>
        <ProblemNote problem={problem} className={styles.problem} />
        <Switch label={t('words:asksPerson')} checked={draft.asks} onChange={(asks) => change({ asks })} />
        {draft.asks && (
          <>
            <TextArea
              label={t('card.question')}
              hint={t('card.questionHint')}
              rows={4}
              maxLength={20_000}
              value={draft.question}
              onChange={(event) => change({ question: event.target.value })}
            />
            <p className={styles.place}>
              {labels.length > 0
                ? t('card.buttons', { buttons: [...labels, ...(hasOtherwise ? [t('otherwise')] : [])].join(', ') })
                : t('card.noButtons')}
            </p>
            {buttons > maxPersonButtons && (
              <p role="alert" className={styles.problem}>
                {t('card.tooManyButtons', { most: maxPersonButtons, buttons })}
              </p>
            )}
            {draft.inputs.map((input, at) => (
              <InputFields
                key={input.id}
                input={input}
                number={at + 1}
                wrongLabel={wrong(`label ${at}`)}
                wrongOptions={wrong(`options ${at}`, choiceLimits)}
                onChange={(changes) => changeInput(at, changes)}
                onRemove={() => removeInput(at)}
              />
            ))}
            {draft.inputs.length < maxPersonInputs ? (
              <Button size="s" icon={<Plus size={15} aria-hidden />} onClick={addInput}>
                {t('card.addInput')}
              </Button>
            ) : (
              <p className={styles.place}>{t('card.allInputs', { most: maxPersonInputs })}</p>
            )}
            <div className={styles.pair}>
              <TextField
                label={t('card.days')}
                type="number"
                min={0}
                max={maxQuestionMinutes / 24 / 60}
                step="any"
                value={draft.days}
                error={wrong('days', { most: maxQuestionMinutes / 24 / 60 })}
                onChange={(event) => change({ days: event.target.value })}
              />
              <WhenDue value={draft.whenDue} labels={labels} onChange={(whenDue) => change({ whenDue })} />
            </div>
            <Switch label={t('card.firstWins')} checked={draft.firstWins} onChange={(firstWins) => change({ firstWins })} />
            <TextField
              label={t('card.email')}
              hint={t(isUnconfirmed ? 'card.emailUnconfirmed' : 'card.emailHint')}
              type="email"
              maxLength={320}
              value={draft.email}
              error={wrong('email')}
              onChange={(event) => change({ email: event.target.value })}
            />
          </>
        )}
      </form>
    </Modal>
  );
}

/** The settings as they are edited, what is wrong with them, and the way to save them. */
function useCardSettings(node: CanvasNode, onClose: () => void) {
  const { t } = useTranslation('questions');
  const { send, problem, clear } = useSend(onClose);
  const [draft, update] = useImmer<Draft>(() => ({ ...draftOf(node.step ?? {}), isChecked: false }));
  const problems = draft.isChecked ? problemsOf(draft) : {};
  const wrong = (field: string, params: Record<string, number> = {}) => {
    const code = problems[field];
    return code && t(`card.wrong.${code}`, params);
  };
  const form = useRef<HTMLFormElement>(null);
  const change = (changes: Partial<Draft>) => {
    clear();
    update((now) => {
      Object.assign(now, changes);
    });
  };
  const changeInput = (at: number, changes: Partial<InputDraft>) =>
    update((now) => {
      Object.assign(now.inputs[at] ?? {}, changes);
    });

  /** A new input and a removed one take the focus with them: else it would be lost. */
  const addInput = () => {
    flushSync(() => change({ inputs: [...draft.inputs, newInput(draft.inputs)] }));
    [...(form.current?.querySelectorAll('fieldset') ?? [])].at(-1)?.querySelector<HTMLElement>('input')?.focus();
  };
  const removeInput = (at: number) => {
    flushSync(() => change({ inputs: draft.inputs.filter((_, other) => other !== at) }));
    const next = form.current?.querySelectorAll<HTMLElement>('fieldset')[Math.min(at, draft.inputs.length - 2)];
    (next?.querySelector<HTMLElement>('input') ?? form.current?.querySelector<HTMLElement>('textarea'))?.focus();
  };

  const save = (event: FormEvent) => {
    event.preventDefault();
    flushSync(() => change({ isChecked: true }));
    if (Object.keys(problemsOf(draft)).length > 0) {
      // The first wrong field gets the focus, which scrolls to it.
      form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
      return;
    }
    void send({ type: 'node.update', id: node.id, changes: { step: settingsOf(draft, node.step ?? {}) } });
  };

  return { form, draft, wrong, problem, change, changeInput, addInput, removeInput, save };
}

type InputFieldsProps = {
  input: InputDraft;
  number: number;
  wrongLabel: string | undefined;
  wrongOptions: string | undefined;
  onChange: (changes: Partial<InputDraft>) => void;
  onRemove: () => void;
};

function InputFields({ input, number, wrongLabel, wrongOptions, onChange, onRemove }: InputFieldsProps) {
  const { t } = useTranslation('questions');
  return (
    <fieldset className={styles.input}>
      <legend>{t('card.input', { number })}</legend>
      <TextField
        label={t('words:name')}
        required
        maxLength={200}
        value={input.label}
        error={wrongLabel}
        onChange={(event) => onChange({ label: event.target.value })}
      />
      <Select
        label={t('words:kind')}
        value={input.type}
        options={inputTypes.map((value) => ({ value, label: t(`card.types.${value}`) }))}
        onChange={(type) => onChange({ type })}
      />
      {input.type === 'choice' && (
        <TextArea
          label={t('card.options')}
          required
          rows={3}
          value={input.options}
          error={wrongOptions}
          onChange={(event) => onChange({ options: event.target.value })}
        />
      )}
      <div className={styles.inputFoot}>
        <Switch label={t('card.required')} checked={input.isRequired} onChange={(isRequired) => onChange({ isRequired })} />
        <IconButton label={t('card.removeInput', { label: input.label })} icon={<Trash2 size={16} />} onClick={onRemove} />
      </div>
    </fieldset>
  );
}

type WhenDueProps = { value: PersonDraft['whenDue']; labels: readonly string[]; onChange: (value: PersonDraft['whenDue']) => void };

/** What happens to a question without an answer in time. */
function WhenDue({ value, labels, onChange }: WhenDueProps) {
  const { t } = useTranslation('questions');
  /** The button that counts as pressed when the question is due, and that no link has any more. */
  const chosen = value.startsWith('button:') ? value.slice('button:'.length) : null;
  const lost = chosen !== null && !labels.includes(chosen) ? chosen : null;
  return (
    <Select
      label={t('card.whenDue')}
      value={value}
      options={[
        { value: 'fail', label: t('card.due.fail') },
        { value: 'skip', label: t('card.due.skip') },
        ...labels.map((label) => ({ value: `button:${label}`, label: t('card.due.choose', { label }) })),
        ...(lost === null ? [] : [{ value, label: t('card.due.lost', { label: lost }) }]),
      ]}
      onChange={onChange}
    />
  );
}

/** A card's own buttons and the labels of its links, and whether a link without a label stands beside them. */
function buttonsOf({ id, step }: CanvasNode, { connections }: CanvasDocument): { labels: string[]; hasOtherwise: boolean } {
  const links = Object.values(connections).filter(({ from, run }) => from.agentId === id && !run?.onFailure && !run?.test);
  const cases = new Set(links.flatMap(({ run }) => run?.label ?? []));
  const own = step?.person?.buttons ?? [];
  const labels = [...new Set([...own, ...cases])];
  const isTaken = own.every((label) => cases.has(label));
  return { labels, hasOtherwise: labels.length > 0 && isTaken && links.some(({ run }) => run?.label === undefined) };
}
