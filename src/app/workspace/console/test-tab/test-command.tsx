import { type FormEvent, Suspense, useState } from 'react';
import { testCommandMaxLength } from '../../../../../contract/executions/test-run.ts';
import type { Problem } from '../../../../model/problem.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { TextField } from '../../../../ui/controls/fields/text-field.tsx';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { lazyPart } from '../../../../ui/loading/lazy-part.tsx';
import { useDispatch, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { useRead } from '../../../server-data/use-read.ts';
import styles from './test-command.module.css';

/** What is shown where the server has a runner, or could have one of its machine. */
const LocalRunner = lazyPart(() => import('./local-runner.tsx').then((file) => file.LocalRunner));
const InstallChoice = lazyPart(() => import('./install-choice.tsx').then((file) => file.InstallChoice));
const SuggestedCommand = lazyPart(() => import('./suggested-command.tsx').then((file) => file.SuggestedCommand));

/** How often a runner of this machine is looked for while none is there (ms). */
const lookMs = 3_000;

/** The runner of the server; looks for one of this machine while the user may connect it and none answers. */
function useRunner() {
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const { value, again } = useRead('runner.get', projectId === null ? null : {}, {
    when: projectId,
    pauseMs: (runner) => (runner?.mayConnect && runner.local === null ? lookMs : null),
  });
  return { runner: value, again };
}

/**
 * The command that the server's runner executes after the step of a tester. Without a runner nothing, but on a server of this machine how one is
 * connected. G3.35
 */
export function TestCommand() {
  const id = useWorkspace(({ project }) => project?.id);
  const command = useWorkspace(({ project }) => project?.testCommand ?? '');
  const { runner, again } = useRunner();
  if (id === undefined || !runner) return null;
  return (
    <>
      {runner.mayConnect && (
        <Suspense fallback={null}>
          <LocalRunner {...{ runner, again }} />
        </Suspense>
      )}
      {runner.connected && <CommandForm key={id} id={id} command={command} />}
      {runner.connected && command !== '' && (
        <Suspense fallback={null}>
          <InstallChoice key={id} id={id} />
        </Suspense>
      )}
    </>
  );
}

function CommandForm({ id, command }: { id: string; command: string }) {
  const { t } = useTranslation('console');
  const dispatch = useDispatch();
  const problemText = useProblemText();
  /** What is typed and not saved; null for nothing. */
  const [draft, setDraft] = useState<string | null>(null);
  const [state, setState] = useState<'busy' | 'saved' | Problem | null>(null);
  const hasChanged = draft !== null && draft.trim() !== command;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (state !== 'busy' && hasChanged) void save(draft.trim());
  };
  const save = async (testCommand: string) => {
    setState('busy');
    const answer = await dispatch({ type: 'project.update', id, testCommand });
    if (answer.ok) setDraft(null);
    setState(answer.ok ? 'saved' : answer.error);
  };

  return (
    <form className={styles.command} onSubmit={submit} data-testid="test-command">
      <div className={styles.field}>
        <TextField
          size="s"
          autoComplete="off"
          spellCheck={false}
          label={t('test.command')}
          placeholder={t('test.commandExample')}
          maxLength={testCommandMaxLength}
          value={draft ?? command}
          onChange={(event) => {
            setDraft(event.target.value);
            setState(null);
          }}
        />
      </div>
      <Button size="s" type="submit" busy={state === 'busy'} disabled={!hasChanged}>
        {t('words:save')}
      </Button>
      {command === '' && draft === null && state !== 'busy' && (
        <Suspense fallback={null}>
          <SuggestedCommand onUse={(suggested) => void save(suggested)} />
        </Suspense>
      )}
      <p role="status" className={styles.hint} data-problem={state !== null && typeof state === 'object' ? '' : undefined}>
        {state !== null && typeof state === 'object' ? problemText(state) : t(state === 'saved' ? 'test.commandSaved' : 'test.commandHint')}
      </p>
    </form>
  );
}
