import { useMemo, useState } from 'react';
import { consoleAgents } from '../../../model/console/console-command.ts';
import { readStored, writeStored } from '../../../ui/stored-preference.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';

const key = 'console:agent';

/** The agents that the console speaks to, and the one that was chosen, which this browser remembers; null without one. W2.17 */
export function useConsoleAgent() {
  const agents = useWorkspace((state) => state.agents);
  const choices = useMemo(() => consoleAgents(agents), [agents]);
  const [id, setId] = useState(() => readStored(key));
  const choose = (next: string | null) => {
    setId(next);
    writeStored(key, next ?? '');
  };
  return { choices, agent: choices.find((choice) => choice.id === id) ?? null, choose };
}
