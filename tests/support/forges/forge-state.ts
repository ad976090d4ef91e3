/** What a person may do in the played repository. */
export type PlayedRole = 'admin' | 'write' | 'read' | 'none';
export type PlayedUser = { id: number; login: string; role: PlayedRole; isBot: boolean; token: string };

export type PlayedComment = { id: number; user: PlayedUser; text: string; at: Date; updatedAt: Date };
/** A comment on a line. `reviewId`: the review that it was submitted with; `replyTo`: the comment that it answers. */
export type PlayedLine = PlayedComment & { reviewId: number; replyTo: number | null; path: string; line: number; isResolved: boolean };
export type PlayedReview = PlayedComment & { isPending: boolean; isApproval: boolean };
export type PlayedLabelEvent = { id: number; user: PlayedUser; label: string; isSet: boolean; at: Date };
export type PlayedCheck = { id: number; sha: string; name: string; outcome: 'success' | 'failure' | null; log: string };

/** An issue or a pull request. */
export type PlayedThread = {
  id: number;
  number: number;
  isRequest: boolean;
  title: string;
  text: string;
  user: PlayedUser;
  isOpen: boolean;
  labels: string[];
  events: PlayedLabelEvent[];
  comments: PlayedComment[];
  reviews: PlayedReview[];
  lines: PlayedLine[];
  createdAt: Date;
  updatedAt: Date;
  /** Of a request: its branch and the one that it is for. */
  head: string;
  base: string;
  isDraft: boolean;
};

type NewThread = { title: string; text?: string; by: string } & (
  | { isRequest?: false }
  | { isRequest: true; head: string; base: string; isDraft: boolean }
);

/** What a forge stores of one repository, the same for all kinds. */
export class ForgeState {
  readonly users: PlayedUser[] = [];
  readonly threads: PlayedThread[] = [];
  readonly checks: PlayedCheck[] = [];
  /** GitLab numbers issues and requests apart. */
  readonly #numbersApart: boolean;
  #lastId = 100;

  constructor({ numbersApart }: { numbersApart: boolean }) {
    this.#numbersApart = numbersApart;
  }

  addUser(login: string, role: PlayedRole, { isBot = false } = {}): PlayedUser {
    const user = { id: this.#nextId(), login, role, isBot, token: `token-of-${login}` };
    this.users.push(user);
    return user;
  }

  user(login: string): PlayedUser {
    return found(this.users.find((user) => user.login === login));
  }

  thread(number: number, isRequest?: boolean): PlayedThread {
    return found(this.find(number, isRequest));
  }

  find(number: number, isRequest?: boolean): PlayedThread | undefined {
    return this.threads.find((thread) => thread.number === number && (isRequest === undefined || thread.isRequest === isRequest));
  }

  addThread({ title, text = '', by, ...of }: NewThread): PlayedThread {
    const same = this.threads.filter(({ isRequest }) => !this.#numbersApart || isRequest === Boolean(of.isRequest));
    const now = new Date();
    const thread: PlayedThread = {
      ...{ id: this.#nextId(), number: same.length + 1, isRequest: false, title, text, user: this.user(by), isOpen: true },
      ...{
        labels: [],
        events: [],
        comments: [],
        reviews: [],
        lines: [],
        createdAt: now,
        updatedAt: now,
        head: '',
        base: '',
        isDraft: false,
      },
      ...of,
    };
    this.threads.push(thread);
    return thread;
  }

  setLabel(thread: PlayedThread, label: string, by: string, isSet: boolean): PlayedLabelEvent {
    const event = { id: this.#nextId(), user: this.user(by), label, isSet, at: touch(thread) };
    thread.events.push(event);
    thread.labels = thread.labels.filter((one) => one !== label);
    if (isSet) thread.labels.push(label);
    return event;
  }

  addComment(thread: PlayedThread, text: string, user: PlayedUser): PlayedComment {
    const comment = this.#said(thread, text, user);
    thread.comments.push(comment);
    return comment;
  }

  addReview(thread: PlayedThread, text: string, user: PlayedUser, { isPending = false, isApproval = false } = {}): PlayedReview {
    const review = { ...this.#said(thread, text, user), isPending, isApproval };
    thread.reviews.push(review);
    return review;
  }

  addLine(
    thread: PlayedThread,
    text: string,
    user: PlayedUser,
    of: Pick<PlayedLine, 'reviewId' | 'replyTo' | 'path' | 'line'>,
  ): PlayedLine {
    const line = { ...this.#said(thread, text, user), ...of, isResolved: false };
    thread.lines.push(line);
    return line;
  }

  /** A check that is run again takes the place of the one before. */
  setCheck(check: Omit<PlayedCheck, 'id'>): PlayedCheck {
    const at = this.checks.findIndex(({ sha, name }) => sha === check.sha && name === check.name);
    const next = { ...check, id: this.#nextId() };
    if (at < 0) this.checks.push(next);
    else this.checks[at] = next;
    return next;
  }

  /** Finds a comment of any issue or request, to change it. */
  commentOf(id: number): { thread: PlayedThread; comment: PlayedComment } | null {
    for (const thread of this.threads) {
      const comment = thread.comments.find((one) => one.id === id);
      if (comment) return { thread, comment };
    }
    return null;
  }

  #said(thread: PlayedThread, text: string, user: PlayedUser): PlayedComment {
    const at = touch(thread);
    return { id: this.#nextId(), user, text, at, updatedAt: at };
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

/** Each change moves the time of its issue on. */
export function touch(thread: PlayedThread): Date {
  thread.updatedAt = new Date();
  return thread.updatedAt;
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The played forge does not have that.');
  return value;
}

export function mayWrite({ role }: PlayedUser): boolean {
  return role === 'admin' || role === 'write';
}
