import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/**
 * Loaded into a server before its own code. With `END_POSTGRES_AT` it kills the embedded PostgreSQL once, when the server sends it the statement with
 * this number: from 1, probes of whether PostgreSQL answers not counted.
 */
export const endedPostgresLine = 'Killed PostgreSQL at a statement.';

type Submitted = { text?: string };
type QueryPrototype = { submit: (this: Submitted, connection: object) => unknown };

const at = Number(process.env.END_POSTGRES_AT);
if (at > 0) countStatements((pg as unknown as { Query: { prototype: QueryPrototype } }).Query.prototype);

function countStatements(prototype: QueryPrototype): void {
  const { submit } = prototype;
  let count = 0;
  prototype.submit = function (connection) {
    if (this.text !== 'SELECT 1') count += 1;
    if (this.text !== 'SELECT 1' && count === at) {
      const [pid] = readFileSync(join(process.env.DATA_DIR ?? '', 'postgres', 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
      writeSync(1, `${endedPostgresLine}\n`);
    }
    return submit.call(this, connection);
  };
}
