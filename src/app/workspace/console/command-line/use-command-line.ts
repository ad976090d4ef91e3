import { useMemo, useState } from 'react';
import { type SlashCommand, suggestCommands, takesText } from '../../../../model/console/console-command.ts';
import { consoleMessages } from '../../../../model/console/console-pages.ts';
import { useObserved } from '../../../../state/use-observed.ts';
import { useDispatch, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { useSurroundings } from '../../workspace-context.ts';
import { stepInHistory, writtenCommands } from './command-history.ts';

/** Where the line's unsent text is kept among those of the dialogs. */
const draftId = 'console';

/** What is being written in the console's line: its text, the commands it may become, and what was written before. */
export function useCommandLine(agentId: string | null) {
  const dispatch = useDispatch();
  const { drafts } = useSurroundings();
  const text = useObserved(drafts, () => drafts.read(draftId));
  const messages = useWorkspace((state) => consoleMessages(state.console));
  const written = useMemo(() => writtenCommands(messages), [messages]);
  const [recalled, setRecalled] = useState<number | null>(null);
  const [unsent, setUnsent] = useState('');
  const [closed, setClosed] = useState(true);
  const [chosen, setChosen] = useState(0);
  const suggestions = closed ? [] : suggestCommands(text);

  const write = (next: string) => {
    drafts.write(draftId, next);
    setRecalled(null);
    setClosed(false);
    setChosen(0);
  };
  const send = async (sent = text) => {
    setClosed(true);
    const outcome = await dispatch({ type: 'console.send', text: sent, agentId });
    if (!outcome.ok) return;
    drafts.sent(draftId, sent);
    setRecalled(null);
  };
  return {
    text,
    suggestions,
    chosen: Math.min(chosen, suggestions.length - 1),
    setChosen,
    write,
    send,
    close: () => setClosed(true),
    /** Writes a command out; one that needs no text is sent. */
    take: (name: SlashCommand, now: boolean) => {
      const whole = takesText(name) ? `/${name} ` : `/${name}`;
      write(whole);
      setClosed(true);
      if (now && !takesText(name)) void send(whole);
    },
    /** Shows what was written before or after, and what was being written beyond the newest. */
    recall: (direction: -1 | 1) => {
      const to = stepInHistory(recalled, direction, written.length);
      if (to === null && recalled === null) return;
      if (recalled === null) setUnsent(text);
      drafts.write(draftId, to === null ? unsent : (written[to] ?? ''));
      setRecalled(to);
      setClosed(true);
    },
  };
}
