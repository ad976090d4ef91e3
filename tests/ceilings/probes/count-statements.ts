import pg from 'pg';

/** What a program has sent to PostgreSQL, in its order. `roundTrips`: how often it has waited for an answer meanwhile. */
export type Sent = { texts: string[]; roundTrips: number };

type Prototype = {
  query: (text: string) => unknown;
  parse: (query: { name?: string; text: string }) => unknown;
  bind: (config: { statement?: string }) => unknown;
  sync: () => unknown;
};
/** A batch sends its statements by an object that inherits from its connection, with the same stream. */
type Connection = Prototype & { stream: object };
/** `prepared`: the texts of its prepared statements, of which that without a name is the last one. `open`: what its transaction has sent. */
type Known = { prepared: Map<string, string>; open: Sent | null };

const known = new WeakMap<object, Known>();
let sent: Sent[] = [];
let isCounting = false;
let sentAt = 0;

/** Loaded before a program, it notes the statements of each connection. What a transaction sends is kept together. */
const { prototype } = (pg as unknown as { Connection: { prototype: Prototype } }).Connection;
const { query, parse, bind, sync } = prototype;
prototype.query = function (this: Connection, text) {
  note(this, text);
  noteRoundTrip(this);
  return query.call(this, text);
};
prototype.parse = function (this: Connection, one) {
  of(this).prepared.set(one.name ?? '', one.text);
  return parse.call(this, one);
};
prototype.bind = function (this: Connection, config) {
  note(this, of(this).prepared.get(config.statement ?? '') ?? '');
  return bind.call(this, config);
};
prototype.sync = function (this: Connection) {
  noteRoundTrip(this);
  return sync.call(this);
};

function of({ stream }: Connection): Known {
  const found = known.get(stream) ?? { prepared: new Map(), open: null };
  known.set(stream, found);
  return found;
}

function note(connection: Connection, text: string): void {
  sentAt = performance.now();
  if (!isCounting) return;
  const state = of(connection);
  if (state.open === null || /^\s*begin/i.test(text)) {
    state.open = { texts: [], roundTrips: 0 };
    sent.push(state.open);
  }
  state.open.texts.push(text);
}

/** Outside of a transaction, what was sent up to an answer belongs together: one statement, or a batch. */
function noteRoundTrip(connection: Connection): void {
  const state = of(connection);
  if (state.open === null) return;
  state.open.roundTrips += 1;
  const isOpen = /^\s*begin/i.test(state.open.texts[0] ?? '') && !/^\s*(?:commit|rollback)\b/i.test(state.open.texts.at(-1) ?? '');
  if (!isOpen) state.open = null;
}

/** Begins to note statements. Before it, noting would add to what the program allocates. */
export function noteStatements(): void {
  sent = [];
  isCounting = true;
}

/** Returns what was sent since, and ends the noting. */
export function takeStatements(): Sent[] {
  isCounting = false;
  return sent;
}

/** How long no statement was sent (ms). */
export const quietMs = (): number => performance.now() - sentAt;
