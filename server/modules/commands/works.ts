import type { Desk, Ticket } from './desk.ts';
import type { CommandRow } from './rows.ts';

/** A command that this node works on, from when it is taken in until it is done with here. */
export type Work = Ticket & {
  leg: number;
  /** Aborts when the command is not this node's any more. */
  dropped: AbortSignal;
  /** The command as it ended here; null when it is not this node's any more, and its row must be asked. */
  ended: Promise<CommandRow | null>;
};

/** All commands that this node works on, each with a place at the desk. */
export function createWorks(desk: Pick<Desk, 'leave'>) {
  const open = new Map<string, { work: Work; close: (ended: CommandRow | null) => void; controller: AbortController }>();

  /** Done with here. Nothing happens for a work that was closed before. */
  const close = (work: Work, ended: CommandRow | null) => {
    const known = open.get(work.id);
    if (known?.work !== work) return;
    open.delete(work.id);
    desk.leave(work);
    known.close(ended);
  };

  const drop = (work: Work) => {
    const known = open.get(work.id);
    if (known?.work === work) known.controller.abort();
    close(work, null);
  };

  return {
    /** Begins to work on a command that has its place at the desk. */
    open(ticket: Ticket, leg: number): Work {
      const controller = new AbortController();
      let settle = (_: CommandRow | null) => {};
      const ended = new Promise<CommandRow | null>((resolve) => {
        settle = resolve;
      });
      const work: Work = { ...ticket, leg, dropped: controller.signal, ended };
      open.set(work.id, { work, close: settle, controller });
      return work;
    },
    find: (id: string): Work | null => open.get(id)?.work ?? null,
    all: (): Work[] => [...open.values()].map(({ work }) => work),
    close,
    /** Cuts off what is done for a command: it is not this node's any more. */
    drop,
  };
}

export type Works = ReturnType<typeof createWorks>;
