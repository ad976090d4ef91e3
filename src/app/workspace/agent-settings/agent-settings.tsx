import { type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import type { Agent } from '../../../../contract/agent.ts';
import { roleHue } from '../../../model/agents/roles.ts';
import type { AgentConfigurationChange } from '../../../model/commands.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Kbd } from '../../../ui/controls/kbd.tsx';
import { ConfirmDialog } from '../../../ui/controls/overlays/confirm-dialog.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { errorOf, useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CopyPlus, History, Lightbulb, RotateCcw } from '../../../ui/icons/icons.ts';
import { RoleTile } from '../../../ui/icons/role-icon.tsx';
import { roleIconName } from '../../../ui/icons/role-icon-name.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import { usePanels } from '../frame/panels.tsx';
import { shortcutLabel } from '../frame/shortcut-label.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { type AgentDraft, agentFields, changesOf, draftOf } from './agent-draft.ts';
import styles from './agent-settings.module.css';
import { AgentSide } from './agent-side.tsx';
import { ChangedMark } from './changed-mark.tsx';
import { PromptEditor } from './prompt-editor.tsx';
import { useRoleName } from './use-role-name.ts';

const PromptHistory = lazyPart(() => import('./prompt-history.tsx').then((file) => file.PromptHistory));

/** The average length of a token (characters): a rough estimate. */
const charactersPerToken = 3.2;

/** The settings of one agent, in a window over the workspace. W2.20 */
export function AgentSettings() {
  const { panels, show } = usePanels();
  const agent = useWorkspace((state) => (panels.settingsAgentId ? state.agents.byId[panels.settingsAgentId] : undefined));
  if (!agent) return null;
  return (
    <AgentForm
      key={agent.id}
      agent={agent}
      onDuplicated={(settingsAgentId) => show({ settingsAgentId })}
      onClose={() => show({ settingsAgentId: null })}
    />
  );
}

type Busy = 'saving' | 'duplicating' | null;

type AgentFormProps = { agent: Agent; onDuplicated: (agentId: string) => void; onClose: () => void };

function AgentForm(props: AgentFormProps) {
  const { agent, onClose } = props;
  const roleName = useRoleName();
  const { t } = useTranslation('connections');
  const { readOnly } = useWorkspaceContext();
  const { form, save, ...state } = useAgentForm(props);
  const { draft, changes, change } = state;
  const prompt = useRef<HTMLElement>(null);

  return (
    <>
      <Modal
        open
        onClose={state.close}
        size="xl"
        initialFocus={prompt}
        title={agent.title}
        description={
          <span className={styles.heading}>
            <RoleTile name={roleIconName(agent.role)} hue={roleHue(agent.role)} size={24} />
            {agent.description || roleName(agent.role)}
          </span>
        }
        footer={
          <FormFooter
            changeCount={state.changeCount}
            busy={state.busy}
            canSave={state.canSave}
            onRevert={() => change(draftOf(agent))}
            onDuplicate={() => void state.duplicate()}
            onClose={state.close}
          />
        }
      >
        <Form
          {...{ form, id: 'agent-settings', className: styles.form, 'data-testid': 'agent-settings' }}
          onSubmit={save}
          onKeyDown={(event) => {
            if (event.code !== 'KeyS' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            event.currentTarget.requestSubmit();
          }}
        >
          <PromptField
            inputRef={prompt}
            agentId={agent.id}
            value={draft.systemPrompt}
            isChanged={'systemPrompt' in changes}
            error={errorOf(form, 'systemPrompt', t('agent.promptTooLong'))}
            onChange={(systemPrompt) => change({ systemPrompt })}
          />
          <AgentSide {...{ agent, form, draft, changes, readOnly, change }} problem={state.problem} />
        </Form>
      </Modal>
      <ConfirmDialog
        open={state.isLeaving}
        title={t('agent.discardTitle')}
        action={t('common:close')}
        destructive
        onConfirm={onClose}
        onClose={() => state.setLeaving(false)}
      >
        <p>{t('agent.discardText')}</p>
      </ConfirmDialog>
    </>
  );
}

/** What the form has changed, and the ways to save it and to leave it. */
function useAgentForm({ agent, onDuplicated, onClose }: AgentFormProps) {
  const dispatch = useDispatch();
  const { readOnly } = useWorkspaceContext();
  const form = useZodForm(agentFields(agent), draftOf(agent), 'onChange');
  const draft = form.watch();
  // A problem is over once something is changed.
  const about = JSON.stringify(draft);
  const saving = useMutation({ about });
  const copying = useMutation({ about });
  const [isLeaving, setLeaving] = useState(false);
  const isEdited = useRef(false);
  // What is wrong is said from the start.
  useEffect(() => void form.trigger(), [form]);
  const change = (changes: Partial<AgentDraft>) => {
    for (const [name, value] of Object.entries(changes)) form.setValue(name as keyof AgentDraft, value);
    // A field may be wrong by what another one says.
    void form.trigger();
  };

  const changes = changesOf(draft, agent);
  const changeCount = Object.keys(changes).length;
  isEdited.current = changeCount > 0;
  const canSave = changeCount > 0 && form.formState.isValid && !readOnly;
  const close = () => (changeCount > 0 && !readOnly ? setLeaving(true) : onClose());

  const save = async (configuration: AgentConfigurationChange) => {
    if (!canSave || copying.isBusy) return;
    if (await saving.act(() => dispatch({ type: 'agent.configure', agentId: agent.id, configuration }))) onClose();
  };
  /** Shows the copy's settings in place of these, unless they were edited meanwhile. */
  const duplicate = async () => {
    const made = await copying.act(() => dispatch({ type: 'agent.duplicate', agentId: agent.id }));
    if (made?.value?.agentId && !isEdited.current) onDuplicated(made.value.agentId);
  };

  const busy: Busy = saving.isBusy ? 'saving' : copying.isBusy ? 'duplicating' : null;
  const problem = saving.problem ?? copying.problem;
  return { form, draft, busy, problem, isLeaving, changes, changeCount, canSave, change, setLeaving, close, save, duplicate };
}

type FormFooterProps = {
  changeCount: number;
  busy: Busy;
  canSave: boolean;
  onRevert: () => void;
  onDuplicate: () => void;
  onClose: () => void;
};

function FormFooter({ changeCount, busy, canSave, onRevert, onDuplicate, onClose }: FormFooterProps) {
  const { t } = useTranslation('connections');
  const { readOnly } = useWorkspaceContext();
  return (
    <>
      {!readOnly && (
        <Button
          variant="ghost"
          className={styles.revert}
          icon={<RotateCcw size={15} aria-hidden />}
          disabled={changeCount === 0}
          onClick={onRevert}
        >
          {t('agent.revert')}
        </Button>
      )}
      {!readOnly && (
        <Button
          variant="ghost"
          icon={<CopyPlus size={15} aria-hidden />}
          busy={busy === 'duplicating'}
          disabled={changeCount > 0}
          onClick={onDuplicate}
        >
          {t('agent.duplicate')}
        </Button>
      )}
      {changeCount > 0 && !readOnly && (
        <span className={styles.unsaved} role="status">
          <i className={styles.mark} /> {t('agent.unsaved', { count: changeCount })}
        </span>
      )}
      <Button onClick={onClose}>{readOnly ? t('common:close') : t('common:cancel')}</Button>
      {!readOnly && (
        <Button variant="primary" className={styles.save} busy={busy === 'saving'} disabled={!canSave} type="submit" form="agent-settings">
          {busy === 'saving' ? t('agent.saving') : t('words:save')} <Kbd keys={shortcutLabel('mod+S')} />
        </Button>
      )}
    </>
  );
}

type PromptFieldProps = {
  agentId: string;
  inputRef: RefObject<HTMLElement | null>;
  value: string;
  isChanged: boolean;
  error: string | undefined;
  onChange: (value: string) => void;
};

/** The system prompt, with its length. */
function PromptField({ inputRef, agentId, value, isChanged, error, onChange }: PromptFieldProps) {
  const { t, language } = useTranslation('connections');
  const { readOnly } = useWorkspaceContext();
  const number = (count: number) => count.toLocaleString(language);
  const [showsHistory, setShowsHistory] = useState(false);
  return (
    <div className={styles.prompt} data-history={showsHistory || undefined}>
      <PromptEditor
        inputRef={inputRef}
        label={t('agent.prompt')}
        aside={
          <span className={styles.aside}>
            {isChanged && <ChangedMark />}
            {t('agent.promptSize', { count: value.length, characters: number(value.length) })},{' '}
            {t('agent.promptTokens', { tokens: number(Math.ceil(value.length / charactersPerToken)) })}
          </span>
        }
        {...{ error, readOnly, value }}
        onChange={onChange}
      />
      <p className={styles.hint}>
        <Lightbulb size={15} aria-hidden /> {t('agent.promptHint')}
        <Button
          size="s"
          className={styles.history}
          icon={<History size={14} aria-hidden />}
          aria-expanded={showsHistory}
          onClick={() => setShowsHistory(!showsHistory)}
        >
          {t('agent.promptHistory')}
        </Button>
      </p>
      {showsHistory && (
        <Suspense fallback={<Spinner size={16} />}>
          <PromptHistory agentId={agentId} readOnly={readOnly} onRestore={onChange} />
        </Suspense>
      )}
    </div>
  );
}
