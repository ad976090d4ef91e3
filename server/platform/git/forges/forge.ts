import type { KnownForge } from '../forge-calls.ts';

/** A repository on a forge, and the token that reads and writes it. */
export type ForgePlace = { forge: KnownForge; url: string; token: string };

/** An account of a forge. `id`: what its rights are asked by. */
export type ForgePerson = { id: string; login: string; isBot: boolean };

/** Names an issue or a pull request. GitLab numbers them apart. */
export type ForgeNumber = { number: number; isRequest: boolean };

/** An issue or a pull request. `updatedAt`: by the clock of the forge, ISO 8601. */
export type ForgeThread = ForgeNumber & {
  title: string;
  text: string;
  author: ForgePerson;
  isOpen: boolean;
  labels: string[];
  updatedAt: string;
  /** The page of a browser. */
  url: string;
};

/** Words on a line of a changed file; without a path they are on the request as a whole. */
export type ForgeLine = { path: string | null; line: number | null; text: string };

/**
 * What a person has written: a comment, or a review with the comments on its lines. `id` is the same in all readings and unique in its repository:
 * `comment:12`, `review:34`, `line:56`. `asks`: whether it may ask for something; an approval, and a review that was dismissed, does not.
 */
export type ForgeComment = {
  id: string;
  author: ForgePerson;
  asks: boolean;
  text: string;
  lines: ForgeLine[];
  /** By the clock of the forge, ISO 8601. */
  at: string;
};

/** A request to open: its branch, and the one that it is for. */
export type ForgeDraft = { head: string; base: string; title: string; body: string };

/** A request that is open for a branch. `hasNoDrafts`: the repository has no drafts, so an ordinary request was opened. */
export type OpenedRequest = { url: string; number: number; hasNoDrafts?: true };

/** A label that was set, and when. `id` names the setting: a label that is taken off and set again has another. */
export type ForgeLabelling = { id: string; by: ForgePerson; at: string };

/** A check of CI that has failed. `log`: the end of what it wrote; empty where the forge gives none. */
export type ForgeFailure = { name: string; url: string; log: string };

/**
 * The calls of a forge about issues and pull requests, the same for each kind. All throw `RequestFailed`. Texts come as the forge has them, bounded in
 * length and number.
 */
export type Forge = {
  /** The account of the token. */
  self: (place: ForgePlace) => Promise<ForgePerson>;
  /** Open issues with a label, the oldest first; at most 1,000. */
  labelled: (place: ForgePlace, label: string) => Promise<ForgeThread[]>;
  /** Issues and pull requests that have changed at a time or after it, in the order of their changes; at most 100. */
  changed: (place: ForgePlace, since: string) => Promise<ForgeThread[]>;
  /** Null for one that is gone. */
  thread: (place: ForgePlace, number: ForgeNumber) => Promise<ForgeThread | null>;
  /** The last time that a label was set; null where it was not, or where the forge does not say. */
  lastLabelling: (place: ForgePlace, number: ForgeNumber, label: string) => Promise<ForgeLabelling | null>;
  /** All comments and submitted reviews, the oldest first; the newest 200. Those of the system, of pending reviews and on lines that are resolved are left out. */
  comments: (place: ForgePlace, number: ForgeNumber) => Promise<ForgeComment[]>;
  /** Whether an account may change the repository: write on GitHub and Gitea, Developer on GitLab. */
  mayWrite: (place: ForgePlace, person: ForgePerson) => Promise<boolean>;
  /** Returns the id of the new comment. */
  addComment: (place: ForgePlace, number: ForgeNumber, text: string) => Promise<string>;
  /** Returns false where the comment is gone. */
  changeComment: (place: ForgePlace, number: ForgeNumber, id: string, text: string) => Promise<boolean>;
  /** The first check of a commit that has failed, once all have ended; null where none has failed or some still run. */
  failure: (place: ForgePlace, sha: string) => Promise<ForgeFailure | null>;
  /** Opens a draft pull request. One that is open for the branch is returned. */
  openDraft: (place: ForgePlace, draft: ForgeDraft) => Promise<OpenedRequest>;
};
