import type pg from 'pg';

/** The processes that share one database, and who of them is alive. */
export type Nodes = {
  /** This process's name on the rows that it works on. It changes when the process was taken for dead. */
  id: () => string;
  /**
   * Asked at launch, after a node was lost, and every few seconds: `takeUp` gives this node the rows whose `node_id` names no row of
   * `nodes`. It runs once at a time, and its failure is noted and made good by the next turn.
   */
  onTakeUp: (takeUp: (nodeId: string) => Promise<void>) => void;
  /** Told when others took this process for dead: what it had under way belongs to them now. */
  onLost: (abandon: () => void) => void;
  /** Joins, and resolves when what nobody works on has been taken up. */
  launch: () => Promise<void>;
  /** Leaves: what was under way here can be taken up at once. */
  leave: () => Promise<void>;
};

export type NodesDeps = {
  pool: pg.Pool;
  newId: () => string;
  /** True when no other process can be at work on this database: whoever is still listed has died. */
  alone: boolean;
  log: { warn: (about: object, line: string) => void };
  /** Time between two beats (ms). */
  beatMs?: number;
};

/** Beats that a node may miss before the others take it for dead. */
const mostMissed = 8;
/** Beats between two looks for rows that nobody works on. */
const lookEvery = 5;

/**
 * A node lives as long as its beat grows. The others count how often they have looked and found it unchanged: no clock is compared
 * with another, so that neither a clock that jumps nor a database that was away for a while makes anybody dead.
 */
export function createNodes({ pool, newId, alone, log, beatMs = 1_000 }: NodesDeps): Nodes {
  const takers: ((nodeId: string) => Promise<void>)[] = [];
  const abandoners: (() => void)[] = [];
  const seen = new Map<string, { beat: string; missed: number }>();
  let id = newId();
  let timer: NodeJS.Timeout | null = null;
  let turn: Promise<void> = Promise.resolve();
  let beats = 0;

  const join = () => pool.query('INSERT INTO nodes (id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);

  const takeUp = async () => {
    for (const take of takers) {
      await take(id).catch((error: unknown) => log.warn({ err: error }, 'Work that nobody does could not be taken up now.'));
    }
  };

  const beat = async (): Promise<void> => {
    await pool.query('UPDATE nodes SET beat = beat + 1 WHERE id = $1', [id]);
    const { rows } = await pool.query<{ id: string; beat: string }>('SELECT id, beat FROM nodes');
    beats += 1;
    const lost = !rows.some((row) => row.id === id);
    if (lost) {
      id = newId();
      for (const abandon of abandoners) abandon();
      await join();
    }
    const removed = await removeDead(rows.filter((row) => row.id !== id));
    if (lost || removed || beats % lookEvery === 0) await takeUp();
  };

  const removeDead = async (others: { id: string; beat: string }[]): Promise<boolean> => {
    for (const known of seen.keys()) if (!others.some((other) => other.id === known)) seen.delete(known);
    let removed = false;
    for (const other of others) {
      const before = seen.get(other.id);
      const missed = before?.beat === other.beat ? before.missed + 1 : 0;
      seen.set(other.id, { beat: other.beat, missed });
      if (missed < mostMissed) continue;
      const gone = await pool.query('DELETE FROM nodes WHERE id = $1 AND beat = $2', [other.id, other.beat]);
      if (gone.rowCount === 1) log.warn({ node: other.id }, 'A node is silent; its work is taken up.');
      removed = true;
    }
    return removed;
  };

  const next = () => {
    timer = setTimeout(() => {
      turn = beat()
        .catch((error: unknown) => log.warn({ err: error }, 'This node could not say that it is alive.'))
        .then(() => {
          if (timer !== null) next();
        });
    }, beatMs);
    timer.unref();
  };

  return {
    id: () => id,
    onTakeUp: (take) => takers.push(take),
    onLost: (abandon) => abandoners.push(abandon),
    async launch() {
      if (alone) await pool.query('DELETE FROM nodes');
      await join();
      await takeUp();
      next();
    },
    async leave() {
      if (timer) clearTimeout(timer);
      timer = null;
      await turn;
      await pool.query('DELETE FROM nodes WHERE id = $1', [id]).catch(() => {});
    },
  };
}
