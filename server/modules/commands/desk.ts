/** A command on this node, as the desk knows it. */
export type Ticket = { id: string; userId: string; agentId: string };

export type DeskLimits = {
  /** Commands that are carried out at the same time: here in all, and of one agent. */
  mostRunning: number;
  mostOfAgent: number;
  /** Commands that may wait for their turn here. */
  mostWaiting: number;
  /** Commands that may follow a step of a run here. They ask no model. */
  mostFollowing: number;
  /** Commands of one account that may be here, whatever they do. */
  mostOfAccount: number;
};

export type Admission = 'in' | 'full' | 'account_full';

/**
 * Says which commands run on this node and which wait. Of one agent the oldest goes first; agents take turns, so that one with many
 * commands does not keep the others waiting.
 */
export function createDesk(limits: DeskLimits) {
  const running = new Map<string, Map<string, Ticket>>();
  const waiting = new Map<string, Map<string, Ticket>>();
  /** Commands that are to wait and are not stored yet. */
  const reserved = new Set<string>();
  const following = new Set<string>();
  const ofAccount = new Map<string, number>();
  /** Agents that are at their limit because of other nodes, as it was last seen. */
  const blocked = new Set<string>();
  let runningInAll = 0;
  let waitingInAll = 0;

  const runningOf = (agentId: string) => running.get(agentId)?.size ?? 0;
  const hasRoom = (agentId: string) =>
    runningInAll < limits.mostRunning && runningOf(agentId) < limits.mostOfAgent && !blocked.has(agentId);

  const run = (ticket: Ticket) => {
    put(running, ticket);
    runningInAll += 1;
  };
  const count = ({ userId }: Ticket) => ofAccount.set(userId, (ofAccount.get(userId) ?? 0) + 1);
  const accountIsFull = ({ userId }: Ticket) => (ofAccount.get(userId) ?? 0) >= limits.mostOfAccount;

  return {
    /** Takes a command in, unless there are too many: it `runs`, or is to wait behind those of its agent once it is stored. */
    admit(ticket: Ticket): { admission: Admission; runs: boolean } {
      if (accountIsFull(ticket)) return { admission: 'account_full', runs: false };
      const runs = !waiting.has(ticket.agentId) && hasRoom(ticket.agentId);
      if (!runs && waitingInAll >= limits.mostWaiting) return { admission: 'full', runs };
      count(ticket);
      if (runs) run(ticket);
      else {
        reserved.add(ticket.id);
        waitingInAll += 1;
      }
      return { admission: 'in', runs };
    },

    /** The command that is to wait is stored: its turn may come. */
    enqueue(ticket: Ticket) {
      if (reserved.delete(ticket.id)) put(waiting, ticket);
    },

    /** Takes a command in that follows a step, unless there are too many. */
    admitFollower(ticket: Ticket): Admission {
      if (accountIsFull(ticket)) return 'account_full';
      if (following.size >= limits.mostFollowing) return 'full';
      count(ticket);
      following.add(ticket.id);
      return 'in';
    },

    /** Takes a command in that was admitted before, by a node that has died. */
    takeUp(ticket: Ticket, follows: boolean) {
      count(ticket);
      if (follows) following.add(ticket.id);
      else {
        put(waiting, ticket);
        waitingInAll += 1;
      }
    },

    /** The next command that may run; it counts as running from now on. */
    next(): Ticket | null {
      if (runningInAll >= limits.mostRunning) return null;
      for (const [agentId, tickets] of waiting) {
        if (!hasRoom(agentId)) continue;
        for (const ticket of tickets.values()) {
          take(waiting, ticket);
          waitingInAll -= 1;
          const others = waiting.get(agentId);
          if (others) {
            waiting.delete(agentId);
            waiting.set(agentId, others);
          }
          run(ticket);
          return ticket;
        }
      }
      return null;
    },

    /** Other nodes have the agent at its limit: the command waits on, before the others of its agent, until `unblock`. */
    putBack(ticket: Ticket) {
      take(running, ticket);
      runningInAll -= 1;
      waiting.set(ticket.agentId, new Map([[ticket.id, ticket], ...(waiting.get(ticket.agentId) ?? [])]));
      waitingInAll += 1;
      blocked.add(ticket.agentId);
    },

    unblock: () => blocked.clear(),

    /** The command is done with here, whatever it was doing. */
    leave(ticket: Ticket) {
      if (take(running, ticket)) runningInAll -= 1;
      else if (reserved.delete(ticket.id) || take(waiting, ticket)) waitingInAll -= 1;
      else if (!following.delete(ticket.id)) return;
      const left = (ofAccount.get(ticket.userId) ?? 1) - 1;
      if (left === 0) ofAccount.delete(ticket.userId);
      else ofAccount.set(ticket.userId, left);
    },

    runningOf,
    /** How many more this node takes up from those that have died. */
    room: () => Math.max(0, limits.mostRunning + limits.mostWaiting - runningInAll - waitingInAll),
    queue: () => ({ underWay: runningInAll, waiting: waitingInAll }),
  };
}

export type Desk = ReturnType<typeof createDesk>;

function put(places: Map<string, Map<string, Ticket>>, ticket: Ticket): void {
  const own = places.get(ticket.agentId) ?? new Map<string, Ticket>();
  places.set(ticket.agentId, own.set(ticket.id, ticket));
}

function take(places: Map<string, Map<string, Ticket>>, ticket: Ticket): boolean {
  const own = places.get(ticket.agentId);
  if (!own?.delete(ticket.id)) return false;
  if (own.size === 0) places.delete(ticket.agentId);
  return true;
}
