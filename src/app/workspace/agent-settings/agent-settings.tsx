import { type FormEvent, type RefObject, Suspense, useRef, useState } from 'react';
import { useImmer } from 'use-immer';
import type { Agent } from '../../../../contract/agent.ts';
import { roleHue } from '../../../model/agents/roles.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Kbd } from '../../../ui/controls/kbd.tsx';
import { ConfirmDialog } from '../../../ui/controls/overlays/confirm-dialog.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CopyPlus, History, Lightbulb, RotateCcw } from '../../../ui/icons/icons.ts';
import { RoleTile } from '../../../ui/icons/role-icon.tsx';
import { roleIconName } from '../../../ui/icons/role-icon-name.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { useIsMounted } from '../../../ui/use-is-mounted.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { shortcutLabel } from '../frame/shortcut-label.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { type AgentDraft, changesOf, draftOf, draftProblems } from './agent-draft.ts';
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

type FormState = { draft: AgentDraft; busy: 'saving' | 'duplicating' | null; error: string | null; isLeaving: boolean };

type AgentFormProps = { agent: Agent; onDuplicated: (agentId: string) => void; onClose: () => void };

function AgentForm(props: AgentFormProps) {
  const { agent, onClose } = props;
  const roleName = useRoleName();
  const { t } = useTranslation('connections');
  const { readOnly } = useWorkspaceContext();
  const form = useAgentForm(props);
  const { draft, changes, problems, error, change } = form;
  const prompt = useRef<HTMLElement>(null);

  return (
    <>
      <Modal
        open
        onClose={form.close}
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
            changeCount={form.changeCount}
            busy={form.busy}
            canSave={form.canSave}
            onRevert={() => change(draftOf(agent))}
            onDuplicate={() => void form.duplicate()}
            onClose={form.close}
          />
        }
      >
        <form
          id="agent-settings"
          className={styles.form}
          data-testid="agent-settings"
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            void form.save();
          }}
          onKeyDown={(event) => {
            if (event.code !== 'KeyS' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void form.save();
          }}
        >
          <PromptField
            inputRef={prompt}
            agentId={agent.id}
            value={draft.systemPrompt}
            isChanged={'systemPrompt' in changes}
            isTooLong={problems.includes('systemPrompt')}
            onChange={(systemPrompt) => change({ systemPrompt })}
          />
          <AgentSide {...{ agent, draft, changes, problems, readOnly, change, error }} />
        </form>
      </Modal>
      <ConfirmDialog
        open={form.isLeaving}
        title={t('agent.discardTitle')}
        action={t('common:close')}
        destructive
        onConfirm={onClose}
        onClose={() => form.setLeaving(false)}
      >
        <p>{t('agent.discardText')}</p>
      </ConfirmDialog>
    </>
  );
}

/** What the form has changed, and the ways to save it and to leave it. */
function useAgentForm({ agent, onDuplicated, onClose }: AgentFormProps) {
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const { readOnly } = useWorkspaceContext();
  const [{ draft, busy, error, isLeaving }, update] = useImmer<FormState>(() => ({
    draft: draftOf(agent),
    busy: null,
    error: null,
    isLeaving: false,
  }));
  // A response that arrives after the settings were closed or edited changes nothing.
  const isMounted = useIsMounted();
  const isEdited = useRef(false);
  const set = (changes: Partial<FormState>) => update((form) => void Object.assign(form, changes));
  const change = (changes: Partial<AgentDraft>) =>
    update((form) => {
      Object.assign(form.draft, changes);
      form.error = null;
    });
  const setLeaving = (isLeaving: boolean) => set({ isLeaving });

  const changes = changesOf(draft, agent);
  const changeCount = Object.keys(changes).length;
  isEdited.current = changeCount > 0;
  const problems = draftProblems(draft, agent);
  const canSave = changeCount > 0 && problems.length === 0 && !readOnly;
  const close = () => (changeCount > 0 && !readOnly ? setLeaving(true) : onClose());

  const save = async () => {
    if (!canSave || busy) return;
    set({ busy: 'saving' });
    const outcome = await dispatch({ type: 'agent.configure', agentId: agent.id, configuration: changes });
    if (!isMounted.current) return;
    set({ busy: null });
    if (outcome.ok) onClose();
    else set({ error: problemText(outcome.error) });
  };
  /** Shows the copy's settings in place of these. */
  const duplicate = async () => {
    set({ busy: 'duplicating' });
    const outcome = await dispatch({ type: 'agent.duplicate', agentId: agent.id });
    if (!isMounted.current) return;
    set({ busy: null });
    if (!outcome.ok) set({ error: problemText(outcome.error) });
    else if (outcome.value?.agentId && !isEdited.current) onDuplicated(outcome.value.agentId);
  };

  return { draft, busy, error, isLeaving, changes, changeCount, problems, canSave, change, setLeaving, close, save, duplicate };
}

type FormFooterProps = {
  changeCount: number;
  busy: FormState['busy'];
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
  isTooLong: boolean;
  onChange: (value: string) => void;
};

/** The system prompt, with its length. */
function PromptField({ inputRef, agentId, value, isChanged, isTooLong, onChange }: PromptFieldProps) {
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
        error={isTooLong ? t('agent.promptTooLong') : undefined}
        readOnly={readOnly}
        value={value}
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
