import pg from 'pg';

/**
 * Loaded into a server before its own code. PostgreSQL carries out every statement that changes an execution; the reply to every `LOSE_EVERY`th
 * of them, counted from the one with the number `LOSE_FROM`, is lost with its connection. In a transaction it is the reply to its COMMIT.
 */
type Connection = { stream: { destroy: () => void } };
type Query = { text?: string; handleError: (error: Error, connection: Connection) => void };
type QueryPrototype = { handleReadyForQuery: (this: Query, connection: Connection) => void };

const every = Number(process.env.LOSE_EVERY);
const from = Number(process.env.LOSE_FROM);
const transactions = new WeakMap<Connection, { hasChange: boolean }>();
const { prototype } = (pg as unknown as { Query: { prototype: QueryPrototype } }).Query;
const { handleReadyForQuery } = prototype;
let count = 0;

prototype.handleReadyForQuery = function (connection) {
  if (isChange(this.text ?? '', connection)) {
    count += 1;
    if (count >= from && (count - from) % every === 0) {
      console.log('A reply was lost.');
      this.handleError(new Error('Connection terminated unexpectedly'), connection);
      connection.stream.destroy();
      return;
    }
  }
  handleReadyForQuery.call(this, connection);
};

/** Whether a change of an execution is stored with this statement. */
function isChange(text: string, connection: Connection): boolean {
  const transaction = transactions.get(connection);
  if (/^begin/i.test(text)) transactions.set(connection, { hasChange: false });
  if (/^(commit|rollback)/i.test(text)) transactions.delete(connection);
  if (/^commit/i.test(text)) return transaction?.hasChange ?? false;
  const changes = /\bchanged AS \(UPDATE executions\b/.test(text);
  if (!transaction || !changes) return changes;
  transaction.hasChange = true;
  return false;
}
