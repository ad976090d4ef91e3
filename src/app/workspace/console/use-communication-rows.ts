import { useCallback, useMemo } from 'react';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { type CommunicationRow, communicationRows } from './communication-rows.ts';
import { excerptBelowHeading } from './excerpt.ts';

/** The console's rows, and the one line that each of them shows. */
export function useCommunicationRows(): { rows: CommunicationRow[]; textOf: (row: CommunicationRow) => string } {
  const messages = useWorkspace((state) => state.console);
  const steps = useWorkspace((state) => state.run.steps);
  const agents = useWorkspace((state) => state.agents.byId);
  const problemText = useProblemText();
  const rows = useMemo(() => communicationRows(messages, steps, agents), [messages, steps, agents]);
  const textOf = useCallback(
    ({ message }: CommunicationRow) => (message.event ? problemText(message.event) : excerptBelowHeading(message.text)),
    [problemText],
  );
  return { rows, textOf };
}
