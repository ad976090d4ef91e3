/** The characters of messages that are read in one turn of the event loop. Reading as many takes some milliseconds. */
const charactersOfTurn = 32 * 1024;

type Waiting = { characters: number; read: () => void };

const waiting: Waiting[] = [];
/** What this turn may still read; null where no turn has begun. */
let left: number | null = null;

/**
 * Calls `read` for a message of this many characters, after the messages that arrived before it. Long messages of many sockets that arrive
 * at once are read in turns of the event loop, so that the calls of other users are answered between them.
 */
export function readInTurns(characters: number, read: () => void): void {
  waiting.push({ characters, read });
  if (left === null) beginTurn();
  else if (waiting.length === 1) readWaiting();
}

function beginTurn(): void {
  left = charactersOfTurn;
  setImmediate(() => {
    left = null;
    if (waiting.length > 0) beginTurn();
  });
  readWaiting();
}

function readWaiting(): void {
  while (left !== null && left > 0) {
    const next = waiting.shift();
    if (next === undefined) return;
    left -= next.characters;
    next.read();
  }
}
