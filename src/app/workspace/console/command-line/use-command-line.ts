import { useMemo } from 'react';
import { useImmer } from 'use-immer';
import { type SlashCommand, suggestCommands, takesText } from '../../../../model/console/console-command.ts';
import { consoleMessages } from '../../../../model/console/console-pages.ts';
import type { ConsoleMessage } from '../../../../model/workspace-state.ts';
import { useObserved } from '../../../../state/use-observed.ts';
import { useDispatch, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';

/** The key of the unsent text among those of the dialogs. */
const draftId = 'console';

type LineState = {
  /** The shown earlier command; null for the unsent text. */
  recalled: number | null;
  /** The unsent text while an earlier command is shown. */
  unsent: string;
  /** Whether the suggestions are closed. */
  isClosed: boolean;
  /** The suggestion that Enter accepts. */
  chosen: number;
};

/** The state of the console's input: text, suggestions and history. */
export function useCommandLine(agentId: string | null) {
  const dispatch = useDispatch();
  const { drafts } = useWorkspaceContext();
  const text = useObserved(drafts, () => drafts.read(draftId));
  const messages = useWorkspace((state) => consoleMessages(state.console));
  const written = useMemo(() => writtenCommands(messages), [messages]);
  const [line, update] = useImmer<LineState>({ recalled: null, unsent: '', isClosed: true, chosen: 0 });
  const change = (changes: Partial<LineState>) => update((state) => void Object.assign(state, changes));
  const suggestions = line.isClosed ? [] : suggestCommands(text);

  const write = (next: string) => {
    drafts.write(draftId, next);
    change({ recalled: null, isClosed: false, chosen: 0 });
  };
  const send = async (sent = text) => {
    change({ isClosed: true });
    const outcome = await dispatch({ type: 'console.send', text: sent, agentId });
    if (!outcome.ok) return;
    drafts.sent(draftId, sent);
    change({ recalled: null });
  };
  return {
    text,
    suggestions,
    chosen: Math.min(line.chosen, suggestions.length - 1),
    setChosen: (chosen: number) => change({ chosen }),
    write,
    send,
    close: () => change({ isClosed: true }),
    /** Completes a command; one without a text is sent. */
    take: (name: SlashCommand, now: boolean) => {
      const whole = takesText(name) ? `/${name} ` : `/${name}`;
      write(whole);
      change({ isClosed: true });
      if (now && !takesText(name)) void send(whole);
    },
    /** Shows an earlier or later command, and the unsent text after the newest. */
    recall: (direction: -1 | 1) => {
      const to = stepInHistory(line.recalled, direction, written.length);
      if (to === null && line.recalled === null) return;
      drafts.write(draftId, to === null ? line.unsent : (written[to] ?? ''));
      change({ recalled: to, isClosed: true, ...(line.recalled === null && { unsent: text }) });
    },
  };
}

/** The texts written in the console, oldest first, without repetitions. Messages to a run are no commands. */
export function writtenCommands(messages: readonly ConsoleMessage[]): string[] {
  const written = messages.filter(({ isUser, executionId }) => isUser && executionId === null).map(({ text }) => text);
  return written.filter((text, index) => text !== written[index - 1]);
}

/**
 * Returns the place in the history after a step back (-1) or forward (1) from `at`, which is null below the newest one. Stays at the
 * oldest; null when the step leads back to the unsent text, or the history is empty.
 */
export function stepInHistory(at: number | null, direction: -1 | 1, count: number): number | null {
  const to = (at ?? count) + direction;
  return count === 0 || to >= count ? null : Math.max(0, to);
}
