import type { UndoExtent } from '../../model/document/undo-stack.ts';

/** Everything outside that the engine uses, so that a test can hand it a clock, a network and a disk of its own. */
export type Environment = {
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  /** Runs `task` once after `ms`; the answer cancels it. */
  later(ms: number, task: () => void): () => void;
  /** Writes to the developer's console. */
  warn(text: string): void;
  openSocket(url: string): Socket;
  /** What relative addresses are relative to. */
  pageUrl?: string;
  /** Calls back each time the browser says that it is online again. */
  onOnline(listener: () => void): () => void;
  /** The journals of this browser; throws where storage is denied. */
  openJournals(): Promise<Journals>;
  locks: TabLocks;
};

/** The part of a WebSocket that the engine uses. */
export type Socket = Pick<WebSocket, 'send' | 'close' | 'onopen' | 'onmessage' | 'onclose'>;

/** Says which tabs live. */
export type TabLocks = {
  /** Holds a tab's name until released; null when another tab still holds it after `waitMs`. */
  hold(tabId: string, waitMs: number): Promise<(() => void) | null>;
  /** Names held by live tabs, or null where nobody can tell. */
  held(): Promise<ReadonlySet<string> | null>;
};

export type JournalKey = { userId: string; projectId: string; tabId: string };

/** One edit that the server does not have yet: a record's newest value, null when it was removed. */
export type JournalEdit = { collection: 'nodes' | 'connections'; id: string; value: unknown; revision: number };

/** A save that was sent and not yet answered; sent again as it is, it is done once. */
export type JournalSave = { idempotencyKey: string; baseVersion: number; patches: unknown[] };

export type JournalHead = { baseVersion: number; saving: JournalSave | null };

/** What an edit did to the undo: which steps there are now, and the one that was put in, if one was. */
export type UndoEdit = { extent: UndoExtent; put: { number: number; change: unknown } | null };

export type Journal = { key: JournalKey; head: JournalHead; edits: JournalEdit[] };

/** Where edits stay until the server has them. Each call is done whole or not at all, and throws when the disk refuses. */
export type Journals = {
  write(key: JournalKey, head: JournalHead, edits: JournalEdit[], undo: UndoEdit | null): Promise<void>;
  /** Puts these edits in the place of all that the journal held. */
  replace(key: JournalKey, head: JournalHead, edits: JournalEdit[]): Promise<void>;
  /** Removes the edits that are not newer than the given revision of their record. */
  acknowledge(key: JournalKey, head: JournalHead, saved: Pick<JournalEdit, 'collection' | 'id' | 'revision'>[]): Promise<void>;
  /** Every journal of a user's project, of whichever tab. */
  read(userId: string, projectId: string): Promise<Journal[]>;
  remove(key: JournalKey): Promise<void>;
  /** The undo of a journal, unread; null where none was kept. */
  readUndo(key: JournalKey): Promise<unknown>;
  /** Puts this undo in the place of what the journal kept, or none. */
  replaceUndo(key: JournalKey, undo: { extent: UndoExtent; steps: readonly unknown[] } | null): Promise<void>;
  close(): void;
};
