import { DBOS, type WorkflowStatusString } from '@dbos-inc/dbos-sdk';
import type pg from 'pg';
import type { Durable, Flow } from './durable.ts';

export type DbosDurableOptions = {
  pool: pg.Pool;
  connectionString: string;
  /** Names this process among those that share the database. One that comes back under its name takes up what it left. */
  executorId: string;
  /** Where the engine's own words go. */
  log: { debug: (line: string) => void; warn: (line: string) => void; error: (line: string) => void };
};

/** Raised only when bodies that are under way can no longer be taken up by newer code. */
const compatibleVersion = '1';

const flow: Flow = {
  step: (name, work) => DBOS.runStep(work, { name }),
  sleep: (ms) => DBOS.sleep(ms),
};

/** DBOS Transact on our own PostgreSQL, in a schema of its own. One at a time in a process. */
export function createDbosDurable({ pool, connectionString, executorId, log }: DbosDurableOptions): Durable {
  const bodies = new Map<string, (input: string) => Promise<void>>();
  return {
    register(name, body) {
      bodies.set(
        name,
        DBOS.registerWorkflow((input: string) => body(flow, input), { name }),
      );
    },
    async launch() {
      DBOS.setConfig({
        name: 'artel',
        systemDatabaseUrl: connectionString,
        systemDatabasePool: pool,
        systemDatabaseSchemaName: 'durable',
        applicationVersion: compatibleVersion,
        executorID: executorId,
        logger: {
          debug: (entry) => log.debug(String(entry)),
          info: (entry) => log.debug(String(entry)),
          warn: (entry) => log.warn(String(entry)),
          error: (entry) => log.error(String(entry)),
        },
      });
      await DBOS.launch();
    },
    async start(name, id, input) {
      const body = bodies.get(name);
      if (!body) throw new Error(`No durable body is named ${name}.`);
      await DBOS.startWorkflow(body, { workflowID: id })(input);
    },
    async underWay(ids) {
      if (ids.length === 0) return new Set();
      const known = await DBOS.listWorkflows({ workflowIDs: ids, loadInput: false, loadOutput: false });
      return new Set(known.filter(({ status }) => notEnded.has(status)).map(({ workflowID }) => workflowID));
    },
    async forget(before) {
      for (;;) {
        const found = await DBOS.listWorkflows({
          ...{ status: ended, completedBefore: before.toISOString(), limit: forgottenAtOnce },
          ...{ loadInput: false, loadOutput: false },
        });
        if (found.length === 0) return;
        await DBOS.deleteWorkflows(found.map(({ workflowID }) => workflowID));
      }
    },
    close: () => DBOS.shutdown({ deregister: true }),
  };
}

const notEnded = new Set(['PENDING', 'ENQUEUED', 'DELAYED']);
const ended = ['SUCCESS', 'ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'] satisfies WorkflowStatusString[];
const forgottenAtOnce = 500;
