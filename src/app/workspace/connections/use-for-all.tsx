import { useState } from 'react';
import { providerModels } from '../../../../contract/agent.ts';
import type { ConnectionUsed, ModelConnection } from '../../../../contract/model-connection.ts';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useIsMounted } from '../../../ui/use-is-mounted.ts';
import { useCall } from '../../../workers/bridge/use-workspace.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import { firstModel } from '../models/model-groups.ts';
import { ModelPicker } from '../models/model-picker.tsx';
import type { ModelList } from '../models/use-models.ts';
import styles from './connections.module.css';
import { useCanvasAgents } from './use-canvas-agents.ts';

type UseForAllProps = { connection: ModelConnection; list: ModelList };

/** Gives the connection and one of its models to all agents of the canvas, after a table of what changes. M3.28 */
export function UseForAll({ connection, list }: UseForAllProps) {
  const { t } = useTranslation('connections');
  const problemText = useProblemText();
  const call = useCall();
  const isMounted = useIsMounted();
  const { call: change, isBusy, problem, clear } = useMutation({ invalidates: ['modelConnection.list'] });
  const onCanvas = useCanvasAgents();
  /** Null until one is typed or chosen. */
  const [typed, setTyped] = useState<string | null>(null);
  const [preview, setPreview] = useState<ConnectionUsed['agents'] | null>(null);
  const [readProblem, setReadProblem] = useState<Problem | null>(null);
  const [usedBy, setUsedBy] = useState<{ count: number; model: string } | null>(null);
  const known = providerModels[connection.provider].map(({ name }) => name);
  const model = (typed ?? firstModel(connection, list.models, known) ?? '').trim();
  const shownProblem = problem ?? readProblem;

  const choose = (next: string) => {
    setTyped(next);
    setPreview(null);
    setUsedBy(null);
    setReadProblem(null);
    clear();
  };
  const look = async () => {
    setUsedBy(null);
    setReadProblem(null);
    const answer = await call('modelConnection.use', {
      params: { id: connection.id },
      body: { agentIds: onCanvas.map(({ id }) => id), model, isPreview: true },
    });
    if (!isMounted.current) return;
    if (answer.ok) setPreview(answer.value.agents);
    else setReadProblem(answer.error);
  };
  const use = async (agents: ConnectionUsed['agents']) => {
    const agentIds = agents.map(({ agentId }) => agentId);
    if (!(await change('modelConnection.use', { params: { id: connection.id }, body: { agentIds, model } }))) return;
    setPreview(null);
    setUsedBy({ count: agentIds.length, model });
  };
  return (
    <section className={styles.use} aria-label={t('use.title')} data-testid="use-for-all">
      <h4>{t('use.title')}</h4>
      <p className={styles.hint}>{onCanvas.length === 0 ? t('use.noAgents') : t('use.about')}</p>
      {onCanvas.length > 0 && (
        <>
          <div className={styles.useRow}>
            <ModelPicker label={t('model')} value={typed ?? model} list={list} onChange={choose} />
            <Button size="s" disabled={model === ''} onClick={() => void look()}>
              {t('use.preview')}
            </Button>
          </div>
          {preview !== null && preview.length > 0 && <Preview agents={preview} isBusy={isBusy} onApply={() => void use(preview)} />}
          <p role="status" className={shownProblem ? styles.danger : styles.stage}>
            {shownProblem ? problemText(shownProblem) : usedBy ? t('use.done', usedBy) : preview?.length === 0 && t('use.same')}
          </p>
        </>
      )}
    </section>
  );
}

function Preview({ agents, isBusy, onApply }: { agents: ConnectionUsed['agents']; isBusy: boolean; onApply: () => void }) {
  const { t } = useTranslation('connections');
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('use.agent')}</th>
              <th scope="col">{t('use.before')}</th>
              <th scope="col">{t('use.after')}</th>
            </tr>
          </thead>
          <tbody>
            {agents.map(({ agentId, title, before, after }) => (
              <tr key={agentId}>
                <th scope="row">{title}</th>
                <td>{before}</td>
                <td>{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Button size="s" variant="primary" busy={isBusy} onClick={onApply}>
        {t('use.apply', { count: agents.length })}
      </Button>
    </>
  );
}
