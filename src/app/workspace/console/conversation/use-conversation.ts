import { useCallback, useMemo } from 'react';
import { consoleMessages } from '../../../../model/console/console-pages.ts';
import type { ConsoleMessage } from '../../../../model/workspace-state.ts';
import { useLateProblemText } from '../../../../ui/i18n/use-late-problem-text.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { excerptBelowHeading } from '../../markdown/excerpt.ts';
import { useShownSteps } from '../../run/use-shown-run.ts';
import { type CommunicationRow, rowReader } from './communication-rows.ts';

type Conversation = {
  /** Oldest first. */
  messages: readonly ConsoleMessage[];
  /** Returns the single line that is shown of a message. */
  textOf: (message: ConsoleMessage) => string;
  rowOf: (message: ConsoleMessage) => CommunicationRow;
};

/** Returns the console's messages, and functions that convert one. They are called for visible messages only. */
export function useConversation(): Conversation {
  const messages = useWorkspace((state) => consoleMessages(state.console));
  const steps = useShownSteps(messages.length > 0);
  const agents = useWorkspace((state) => state.agents.byId);
  const problemText = useLateProblemText();
  const rowOf = useMemo(() => rowReader(steps, agents), [steps, agents]);
  const textOf = useCallback(
    (message: ConsoleMessage) => (message.event ? (problemText(message.event) ?? '') : excerptOf(message)),
    [problemText],
  );
  return { messages, textOf, rowOf };
}

const excerpts = new WeakMap<ConsoleMessage, string>();

function excerptOf(message: ConsoleMessage): string {
  const known = excerpts.get(message);
  if (known !== undefined) return known;
  const text = excerptBelowHeading(message.text);
  excerpts.set(message, text);
  return text;
}
