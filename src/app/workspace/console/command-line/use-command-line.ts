import { useMemo } from 'react';
import { useImmer } from 'use-immer';
import { type SlashCommand, suggestCommands, takesText } from '../../../../model/console/console-command.ts';
import { consoleMessages } from '../../../../model/console/console-pages.ts';
import { useObserved } from '../../../../state/use-observed.ts';
import { useDispatch, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { useSurroundings } from '../../workspace-context.ts';
import { stepInHistory, writtenCommands } from './command-history.ts';

/** Where the line's unsent text is kept among those of the dialogs. */
const draftId = 'console';

type LineState = {
  /** Which of the earlier commands is shown; null for the one being written. */
  recalled: number | null;
  /** The text that was being written before an earlier command was shown. */
  unsent: string;
  /** Whether the suggestions are closed. */
  isClosed: boolean;
  /** The suggestion that Enter takes. */
  chosen: number;
};

/** What is being written in the console's line: its text, the commands it may become, and what was written before. */
export function useCommandLine(agentId: string | null) {
  const dispatch = useDispatch();
  const { drafts } = useSurroundings();
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
    /** Writes a command out; one that needs no text is sent. */
    take: (name: SlashCommand, now: boolean) => {
      const whole = takesText(name) ? `/${name} ` : `/${name}`;
      write(whole);
      change({ isClosed: true });
      if (now && !takesText(name)) void send(whole);
    },
    /** Shows what was written before or after, and what was being written beyond the newest. */
    recall: (direction: -1 | 1) => {
      const to = stepInHistory(line.recalled, direction, written.length);
      if (to === null && line.recalled === null) return;
      drafts.write(draftId, to === null ? line.unsent : (written[to] ?? ''));
      change({ recalled: to, isClosed: true, ...(line.recalled === null && { unsent: text }) });
    },
  };
}
