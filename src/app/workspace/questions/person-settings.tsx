import { type FormEvent, useId } from 'react';
import { useImmer } from 'use-immer';
import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import {
  maxPersonInputs,
  type PersonInput,
  type PersonSettings,
  questionMinutes,
  type WhenDue,
} from '../../../../contract/executions/run-graph.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { Switch } from '../../../ui/controls/fields/switch.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Plus, Trash2 } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../panels.tsx';
import { useWorkspaceContext } from '../workspace-context.ts';
import styles from './questions.module.css';

/** The settings of a user's card: whether it asks a person in a run, and what. */
export function PersonCardSettings() {
  const { panels, show } = usePanels();
  const nodeId = panels.window?.kind === 'person' ? panels.window.nodeId : null;
  const node = useWorkspace((state) => (nodeId === null ? undefined : state.document.nodes[nodeId]));
  return node ? <Settings key={node.id} node={node} onClose={() => show({ window: null })} /> : null;
}

const inputTypes = ['text', 'choice', 'number', 'file'] as const;
const minutesOfDay = 24 * 60;

/** An input while it is edited: its options are the lines of a text. */
type InputDraft = Pick<PersonInput, 'id' | 'label' | 'type'> & { isRequired: boolean; options: string };
type Draft = { asks: boolean; question: string; inputs: InputDraft[]; days: string; whenDue: string; email: string; error: string };

function Settings({ node, onClose }: { node: CanvasNode; onClose: () => void }) {
  const { t } = useTranslation('questions');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const { readOnly } = useWorkspaceContext();
  const locked = useWorkspace((state) => isLocked(state.run));
  const document = useWorkspace((state) => state.document);
  const labels = buttonsOf(node.id, document);
  const [draft, update] = useImmer<Draft>(() => draftOf(node.step?.person));
  const formId = useId();
  const change = (changes: Partial<Draft>) =>
    update((now) => {
      Object.assign(now, { error: '' }, changes);
    });
  const changeInput = (at: number, changes: Partial<InputDraft>) =>
    update((now) => {
      Object.assign(now.inputs[at] ?? {}, changes);
    });

  const save = async (event: FormEvent) => {
    event.preventDefault();
    const { person: _, ...others } = node.step ?? {};
    const step = { ...others, ...(draft.asks && { person: personOf(draft) }) };
    const changes = { step: Object.keys(step).length > 0 ? step : undefined };
    const outcome = await dispatch({ type: 'node.update', id: node.id, changes });
    if (outcome.ok) onClose();
    else change({ error: problemText(outcome.error) });
  };

  return (
    <Modal
      open
      onClose={onClose}
      size="m"
      title={t('card.title', { name: node.title })}
      description={t('card.about')}
      footer={
        <>
          <Button onClick={onClose}>{t('card.cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} disabled={locked || readOnly}>
            {t('card.save')}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} data-testid="person-settings" onSubmit={(event) => void save(event)}>
        {draft.error && (
          <p role="alert" className={styles.problem}>
            {draft.error}
          </p>
        )}
        <Switch label={t('card.asks')} checked={draft.asks} onChange={(asks) => change({ asks })} />
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
            <p className={styles.place}>{labels.length > 0 ? t('card.buttons', { buttons: labels.join(', ') }) : t('card.noButtons')}</p>
            {draft.inputs.map((input, at) => (
              <fieldset key={input.id} className={styles.input}>
                <legend>{t('card.input', { number: at + 1 })}</legend>
                <TextField
                  label={t('card.label')}
                  required
                  maxLength={200}
                  value={input.label}
                  onChange={(event) => changeInput(at, { label: event.target.value })}
                />
                <Select
                  label={t('card.type')}
                  value={input.type}
                  options={inputTypes.map((value) => ({ value, label: t(`card.types.${value}`) }))}
                  onChange={(type) => changeInput(at, { type })}
                />
                {input.type === 'choice' && (
                  <TextArea
                    label={t('card.options')}
                    required
                    rows={3}
                    value={input.options}
                    onChange={(event) => changeInput(at, { options: event.target.value })}
                  />
                )}
                <div className={styles.inputFoot}>
                  <Switch
                    label={t('card.required')}
                    checked={input.isRequired}
                    onChange={(isRequired) => changeInput(at, { isRequired })}
                  />
                  <IconButton
                    label={t('card.removeInput', { label: input.label })}
                    icon={<Trash2 size={16} />}
                    onClick={() => change({ inputs: draft.inputs.filter((_, other) => other !== at) })}
                  />
                </div>
              </fieldset>
            ))}
            {draft.inputs.length < maxPersonInputs && (
              <Button
                size="s"
                icon={<Plus size={15} aria-hidden />}
                onClick={() => change({ inputs: [...draft.inputs, newInput(draft.inputs)] })}
              >
                {t('card.addInput')}
              </Button>
            )}
            <div className={styles.pair}>
              <TextField
                label={t('card.days')}
                type="number"
                min={1}
                max={366}
                step="any"
                value={draft.days}
                onChange={(event) => change({ days: event.target.value })}
              />
              <Select
                label={t('card.whenDue')}
                value={draft.whenDue}
                options={[
                  { value: 'fail', label: t('card.due.fail') },
                  { value: 'skip', label: t('card.due.skip') },
                  ...labels.map((label) => ({ value: `button:${label}`, label: t('card.due.choose', { label }) })),
                ]}
                onChange={(whenDue) => change({ whenDue })}
              />
            </div>
            <TextField
              label={t('card.email')}
              hint={t('card.emailHint')}
              type="email"
              maxLength={320}
              value={draft.email}
              onChange={(event) => change({ email: event.target.value })}
            />
          </>
        )}
      </form>
    </Modal>
  );
}

/** The labels of the links out of a card. */
function buttonsOf(nodeId: string, { connections }: CanvasDocument): string[] {
  const labels = Object.values(connections).flatMap(({ from, run }) => (from.agentId === nodeId && run?.label ? [run.label] : []));
  return [...new Set(labels)];
}

function draftOf(person: PersonSettings | undefined): Draft {
  const { question = '', inputs = [], dueMinutes = questionMinutes, whenDue = 'fail', email = '' } = person ?? {};
  return {
    asks: person !== undefined,
    question,
    inputs: inputs.map(({ isRequired, options, ...input }) => ({
      ...input,
      isRequired: isRequired === true,
      options: (options ?? []).join('\n'),
    })),
    days: String(Math.round((dueMinutes / minutesOfDay) * 100) / 100),
    whenDue: typeof whenDue === 'object' ? `button:${whenDue.choose}` : whenDue,
    email,
    error: '',
  };
}

function personOf({ question, inputs, days, whenDue, email }: Draft): PersonSettings {
  const dueMinutes = Math.max(1, Math.round(Number(days || 30) * minutesOfDay));
  const due: WhenDue = whenDue.startsWith('button:') ? { choose: whenDue.slice('button:'.length) } : whenDue === 'skip' ? 'skip' : 'fail';
  return {
    question: question.trim(),
    inputs: inputs.map(({ id, label, type, isRequired, options }) => ({
      ...{ id, label: label.trim(), type },
      ...(isRequired && { isRequired: true as const }),
      ...(type === 'choice' && { options: linesOf(options) }),
    })),
    ...(dueMinutes !== questionMinutes && { dueMinutes }),
    ...(due !== 'fail' && { whenDue: due }),
    ...(email.trim() !== '' && { email: email.trim() }),
  };
}

function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').flatMap((line) => line.trim() || []))].slice(0, 20);
}

function newInput(inputs: readonly InputDraft[]): InputDraft {
  const taken = new Set(inputs.map(({ id }) => id));
  let number = 1;
  while (taken.has(`input${number}`)) number += 1;
  return { id: `input${number}`, label: '', type: 'text', isRequired: false, options: '' };
}
