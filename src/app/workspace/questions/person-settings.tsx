import { useId } from 'react';
import { flushSync } from 'react-dom';
import { useFieldArray } from 'react-hook-form';
import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { maxPersonButtons, maxPersonInputs, maxQuestionMinutes } from '../../../../contract/executions/run-graph.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { FormSelect, FormSwitch, FormText, FormTextArea } from '../../../ui/form/form-fields.tsx';
import { useZodForm, type ZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Plus, Trash2 } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useRead } from '../../server-data/use-read.ts';
import { usePanels } from '../frame/panels.tsx';
import { useSend } from '../frame/use-send.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import {
  choiceLimits,
  draftOf,
  inputTypes,
  newInput,
  type PersonDraft,
  type PersonFault,
  personFields,
  settingsOf,
} from './person-draft.ts';
import styles from './questions.module.css';

/** The settings of a user's card: whether it asks a person in a run, and what. */
export function PersonCardSettings() {
  const { panels, show } = usePanels();
  const nodeId = panels.window?.kind === 'person' ? panels.window.nodeId : null;
  const node = useWorkspace((state) => (nodeId === null ? undefined : state.document.nodes[nodeId]));
  return node ? <Settings key={node.id} node={node} onClose={() => show({ window: null })} /> : null;
}

function Settings({ node, onClose }: { node: CanvasNode; onClose: () => void }) {
  const { t } = useTranslation('questions');
  const { readOnly } = useWorkspaceContext();
  const locked = useWorkspace((state) => isLocked(state.run));
  const document = useWorkspace((state) => state.document);
  const { labels, hasOtherwise } = buttonsOf(node, document);
  const buttons = labels.length + (hasOtherwise ? 1 : 0);
  const { send, problem } = useSend(onClose);
  const before = node.step ?? {};
  const form = useZodForm(personFields, draftOf(before));
  const inputs = useFieldArray({ control: form.control, name: 'inputs', keyName: 'key' });
  const { asks, email } = form.watch();
  const formId = useId();
  const profile = useRead('auth.profile', email.trim() === '' ? null : {});
  const isUnconfirmed = profile.value?.emailVerified === false;
  const wrong = (code: string) => t(`card.wrong.${code as PersonFault}`, { ...choiceLimits, most: maxQuestionMinutes / 24 / 60 });
  /** A removed input takes the focus with it: else it would be lost. */
  const remove = (at: number) => {
    flushSync(() => inputs.remove(at));
    const next = Math.min(at, inputs.fields.length - 2);
    form.setFocus(next < 0 ? 'question' : `inputs.${next}.label`);
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
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} disabled={locked || readOnly}>
            {t('words:save')}
          </Button>
        </>
      }
    >
      <Form
        {...{ form, id: formId, problem, 'data-testid': 'person-settings' }}
        onSubmit={(draft) => send({ type: 'node.update', id: node.id, changes: { step: settingsOf(draft, before) } })}
      >
        <FormSwitch {...{ form, name: 'asks' }} label={t('words:asksPerson')} />
        {asks && (
          <>
            <FormTextArea
              {...{ form, name: 'question', rows: 4, maxLength: 20_000 }}
              label={t('card.question')}
              hint={t('card.questionHint')}
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
            {inputs.fields.map(({ key }, at) => (
              <InputFields key={key} form={form} at={at} wrong={wrong} onRemove={() => remove(at)} />
            ))}
            {inputs.fields.length < maxPersonInputs ? (
              <Button
                size="s"
                icon={<Plus size={15} aria-hidden />}
                onClick={() => inputs.append(newInput(form.getValues('inputs')), { focusName: `inputs.${inputs.fields.length}.label` })}
              >
                {t('card.addInput')}
              </Button>
            ) : (
              <p className={styles.place}>{t('card.allInputs', { most: maxPersonInputs })}</p>
            )}
            <div className={styles.pair}>
              <FormText
                {...{ form, name: 'days', type: 'number', min: 0, max: maxQuestionMinutes / 24 / 60, step: 'any' }}
                label={t('card.days')}
                error={wrong}
              />
              <WhenDue form={form} labels={labels} />
            </div>
            <FormSwitch {...{ form, name: 'firstWins' }} label={t('card.firstWins')} />
            <FormText
              {...{ form, name: 'email', type: 'email', maxLength: 320 }}
              label={t('card.email')}
              hint={t(isUnconfirmed ? 'card.emailUnconfirmed' : 'card.emailHint')}
              error={wrong}
            />
          </>
        )}
      </Form>
    </Modal>
  );
}

type PersonForm = ZodForm<PersonDraft>;
type InputFieldsProps = { form: PersonForm; at: number; wrong: (code: string) => string; onRemove: () => void };

function InputFields({ form, at, wrong, onRemove }: InputFieldsProps) {
  const { t } = useTranslation('questions');
  const { label, type } = form.watch(`inputs.${at}`);
  return (
    <fieldset className={styles.input}>
      <legend>{t('card.input', { number: at + 1 })}</legend>
      <FormText {...{ form, name: `inputs.${at}.label`, required: true, maxLength: 200 }} label={t('words:name')} error={wrong} />
      <FormSelect
        {...{ form, name: `inputs.${at}.type` }}
        label={t('words:kind')}
        options={inputTypes.map((value) => ({ value, label: t(`card.types.${value}`) }))}
      />
      {type === 'choice' && (
        <FormTextArea {...{ form, name: `inputs.${at}.options`, required: true, rows: 3 }} label={t('card.options')} error={wrong} />
      )}
      <div className={styles.inputFoot}>
        <FormSwitch {...{ form, name: `inputs.${at}.isRequired` }} label={t('card.required')} />
        <IconButton label={t('card.removeInput', { label })} icon={<Trash2 size={16} />} onClick={onRemove} />
      </div>
    </fieldset>
  );
}

/** What happens to a question without an answer in time. */
function WhenDue({ form, labels }: { form: PersonForm; labels: readonly string[] }) {
  const { t } = useTranslation('questions');
  const value = form.watch('whenDue');
  /** The button that counts as pressed when the question is due, and that no link has any more. */
  const chosen = value.startsWith('button:') ? value.slice('button:'.length) : null;
  const lost = chosen !== null && !labels.includes(chosen) ? chosen : null;
  return (
    <FormSelect
      {...{ form, name: 'whenDue' }}
      label={t('card.whenDue')}
      options={[
        { value: 'fail', label: t('card.due.fail') },
        { value: 'skip', label: t('card.due.skip') },
        ...labels.map((label) => ({ value: `button:${label}`, label: t('card.due.choose', { label }) })),
        ...(lost === null ? [] : [{ value, label: t('card.due.lost', { label: lost }) }]),
      ]}
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
