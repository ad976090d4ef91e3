import { useState } from 'react';
import { type ServerTool, toolServerLimits } from '../../../../contract/tool-server.ts';
import { Badge } from '../../../ui/controls/badge.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Checkbox } from '../../../ui/controls/fields/checkbox.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Plug } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import { useRead } from '../../server-data/use-read.ts';
import { usePanels } from '../frame/panels.tsx';
import { useTools } from '../tools/use-tools.ts';
import styles from './agent-tools.module.css';

/** The tools of the project that the agent may call: a tick each, stored at once. G3.30 */
export function AgentTools({ agentId, readOnly }: { agentId: string; readOnly: boolean }) {
  const { t } = useTranslation('tool-servers');
  const { show } = usePanels();
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const tools = useTools(projectId);
  const given = useRead('toolServer.agentTools', projectId === null ? null : { params: { id: projectId, agentId } });
  if (!tools.value || !given.value) return null;
  return (
    <section className={styles.section} aria-label={t('ofAgent')} data-testid="agent-tools">
      <h3>{t('ofAgent')}</h3>
      {tools.value.length === 0 ? (
        <p className={styles.note}>{t('ofAgentNone')}</p>
      ) : (
        <Ticks projectId={projectId ?? ''} agentId={agentId} tools={tools.value} first={given.value} readOnly={readOnly} />
      )}
      {!readOnly && (
        <Button size="s" icon={<Plug size={14} aria-hidden />} onClick={() => show({ settingsAgentId: null, window: { kind: 'tools' } })}>
          {t('servers')}
        </Button>
      )}
    </section>
  );
}

type TicksProps = {
  projectId: string;
  agentId: string;
  tools: readonly ServerTool[];
  first: { toolIds: string[]; tokens: number };
  readOnly: boolean;
};

function Ticks({ projectId, agentId, tools, first, readOnly }: TicksProps) {
  const { t } = useTranslation('tool-servers');
  const problemText = useProblemText();
  const { call, isBusy, problem } = useMutation();
  const [given, setGiven] = useState(first);
  const { agentTools: limit } = toolServerLimits;
  const ticked = new Set(given.toolIds);

  const tick = async (toolId: string, isTicked: boolean) => {
    const before = given;
    const toolIds = isTicked ? [...given.toolIds, toolId] : given.toolIds.filter((id) => id !== toolId);
    setGiven({ ...given, toolIds });
    const stored = await call('toolServer.putAgentTools', { params: { id: projectId, agentId }, body: { toolIds } });
    setGiven(stored?.value ?? before);
  };
  return (
    <>
      <p className={styles.note} role="status">
        {problem ? problemText(problem) : `${t('ticked', { count: given.toolIds.length, limit })} ${t('tokens', { count: given.tokens })}`}
      </p>
      <ul className={styles.list}>
        {tools.map((tool) => (
          <li key={tool.id}>
            <label htmlFor={`tool-${tool.id}`}>
              <Checkbox
                id={`tool-${tool.id}`}
                checked={ticked.has(tool.id)}
                disabled={readOnly || isBusy || (!ticked.has(tool.id) && given.toolIds.length >= limit)}
                onChange={(event) => void tick(tool.id, event.target.checked)}
              />
              <code>{tool.callName}</code>
              {tool.state === 'pinned' ? (
                <Badge tone={tool.policy === 'never' ? 'danger' : 'neutral'}>{t(`policies.${tool.policy}`)}</Badge>
              ) : (
                <Badge tone="warning">{t(tool.state)}</Badge>
              )}
            </label>
          </li>
        ))}
      </ul>
    </>
  );
}
