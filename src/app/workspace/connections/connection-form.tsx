import { type FormEvent, useState } from 'react';
import { useImmer } from 'use-immer';
import type { ModelConnection } from '../../../../contract/model-connection.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Checkbox } from '../../../ui/controls/fields/checkbox.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import { usePanels } from '../panels.tsx';
import { useStartRun } from '../run/use-start-run.ts';
import { type ConnectionDraft, connectionDraft, creationOf, fieldProblems, localProblems, updateOf } from './connection-draft.ts';
import { ConnectionInputs } from './connection-inputs.tsx';
import styles from './connections.module.css';
import { FurtherFields } from './further-fields.tsx';
import { ProviderChoice } from './provider-choice.tsx';
import { freeName, providerOfKey } from './provider-facts.ts';
import { useCanvasAgents } from './use-canvas-agents.ts';
import { useConnect } from './use-connect.ts';

type ConnectionFormProps = {
  /** Null for a new one. */
  connection: ModelConnection | null;
  /** The names of the connections that there are. */
  others: readonly string[];
  /** Whether a run starts once a new one works. */
  starts?: boolean;
  onSaved: (connectionId: string) => void;
  onCancel: () => void;
};

/** The provider, the key and the address of a connection. A new one is tested at once, and given to the agents of the canvas. M3.22 M3.24 */
export function ConnectionForm({ connection, others, starts = false, onSaved, onCancel }: ConnectionFormProps) {
  const { t } = useTranslation('connections');
  const problemText = useProblemText();
  const { show } = usePanels();
  const start = useStartRun();
  const edit = useMutation({ invalidates: ['modelConnection.list'] });
  const { connect, stage, problem: connectProblem, clear } = useConnect();
  const projectId = useWorkspace(({ project }) => project?.id ?? '');
  const agents = useCanvasAgents();
  const [draft, setDraft] = useImmer<ConnectionDraft>(() => connectionDraft(connection));
  const [isForAll, setForAll] = useState(true);
  const [isTried, setTried] = useState(false);
  /** A provider that was chosen stays, whatever the key looks like. */
  const [isChosen, setChosen] = useState(connection !== null);

  const problem = connection ? edit.problem : connectProblem;
  const wrong = isTried ? localProblems(draft) : [];
  const refused = fieldProblems(problem);
  const change = (changes: Partial<ConnectionDraft>) => {
    clear();
    edit.clear();
    setDraft((next) => {
      Object.assign(next, changes);
    });
  };
  const choose = (provider: ConnectionDraft['provider']) => {
    setChosen(true);
    change({ provider });
  };
  const typeKey = (apiKey: string) => {
    const likely = isChosen ? null : providerOfKey(apiKey);
    change(likely === null ? { apiKey } : { apiKey, provider: likely });
  };

  const save = async () => {
    setTried(true);
    if (localProblems(draft).length > 0) return null;
    if (connection) {
      const saved = await edit.call('modelConnection.update', { params: { id: connection.id }, body: updateOf(draft, connection) });
      return saved && { id: connection.id, works: false };
    }
    const name = freeName(t(`agent.providers.${draft.provider}`).slice(0, 50), others);
    return connect(creationOf(draft, name, projectId), isForAll ? agents.map(({ id }) => id) : []);
  };
  const submit = async (starting: boolean) => {
    const saved = await save();
    if (!saved) return;
    if (!starting || !saved.works) return onSaved(saved.id);
    show({ window: null });
    start();
  };
  const isBusy = stage !== null || edit.isBusy;
  const stageText = stage && (stage.kind === 'testing' ? t('stage.testing', { model: stage.model }) : t(`stage.${stage.kind}`));
  return (
    <form
      className={styles.form}
      aria-label={t(connection ? 'form.editLabel' : 'form.label')}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit(starts);
      }}
    >
      {!connection && <ProviderChoice value={draft.provider} onChange={choose} />}
      <ConnectionInputs {...{ connection, draft, refused, change, typeKey }} isAddressMissing={wrong.includes('address')} />
      <FurtherFields
        draft={draft}
        headersProblem={refused.headers}
        bodyProblem={wrong.includes('extraBody') ? t('form.bodyBad') : refused.extraBody}
        change={change}
      />
      {!connection && agents.length > 0 && (
        <label className={styles.tick} htmlFor="connection-for-all">
          <Checkbox id="connection-for-all" checked={isForAll} onChange={(event) => setForAll(event.target.checked)} />
          {t('form.forAll', { count: agents.length })}
        </label>
      )}
      <div className={styles.actions}>
        <p role="status" className={problem ? styles.danger : styles.stage}>
          {stageText ?? (problem && problemText(problem))}
        </p>
        <Button size="s" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
        {starts && (
          <Button size="s" busy={isBusy} onClick={() => void submit(false)}>
            {t('words:connect')}
          </Button>
        )}
        <Button size="s" type="submit" variant="primary" busy={isBusy}>
          {t(connection ? 'words:save' : starts ? 'form.connectAndStart' : 'words:connect')}
        </Button>
      </div>
    </form>
  );
}
