import { z } from 'zod';
import { withEscapedHidden } from '../../../../rules/text/hidden-characters.ts';
import { plainLog } from '../../../../rules/text/plain-log.ts';
import { type Answer, type Egress, ResponseTooLong } from '../../egress/egress.ts';
import { callForge, type ForgeAnswer, forgeHeaders, type KnownForge, RequestFailed, readAnswer, sendToForge } from '../forge-calls.ts';

/** The end of a log that is read (bytes). */
const logBytes = 64 * 1024;
/** The longest log (bytes): only its end is kept. */
const maxLogBytes = 256 * 1024 * 1024;
const logMs = 60_000;
const maxRedirects = 3;

/** How each kind of forge names the size of a page, and its largest. Gitea's operators may set a smaller one. */
const pageSizes: Record<KnownForge, { name: string; largest: number }> = {
  github: { name: 'per_page', largest: 100 },
  gitlab: { name: 'per_page', largest: 100 },
  gitea: { name: 'limit', largest: 50 },
};
/** A page that is too long is read in this many parts. */
const partsOfPage = 10;

type List<Schema extends z.ZodType> = {
  entry: Schema;
  /** The field of the answer that has the list; the answer itself unless given. */
  field?: string;
  maxPages: number;
  /** Whether the answers do not say that a page follows: then the first empty page is the end. */
  endsEmpty?: true;
};

/** `size`: that of the pages which the headers count. */
type Page = { entries: unknown[]; headers: Record<string, string>; size: number };

/** The calls to the API of one repository. Paths begin at the repository. Entries of lists that have another form than expected are left out. */
export class ForgeApi {
  readonly #egress: Egress;
  readonly #forge: KnownForge;
  readonly #token: string;
  readonly #base: string;

  constructor(egress: Egress, { forge, token }: { forge: KnownForge; token: string }, base: string) {
    this.#egress = egress;
    this.#forge = forge;
    this.#token = token;
    this.#base = base;
  }

  async get(path: string): Promise<unknown> {
    return (await this.#call('GET', path)).value;
  }

  async post(path: string, body: object): Promise<unknown> {
    return (await this.#call('POST', path, body)).value;
  }

  /** Returns null for what is not there. Throws `not_found` where the repository is not there either. */
  async getIfThere(path: string): Promise<unknown> {
    try {
      return await this.get(path);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.get('');
      return null;
    }
  }

  /** Returns false where that which would be changed is not there. */
  async change(method: 'PATCH' | 'PUT', path: string, body: object): Promise<boolean> {
    try {
      await this.send(method, path, body);
      return true;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.get('');
      return false;
    }
  }

  /** Throws `locked` where an archived repository takes no writes, also where the server says of it only that it is forbidden. */
  async send(method: 'POST' | 'PATCH' | 'PUT', path: string, body: object): Promise<unknown> {
    try {
      return (await this.#call(method, path, body)).value;
    } catch (error) {
      if (error instanceof RequestFailed && error.reason === 'needs_token' && (await this.#isArchived()))
        throw new RequestFailed('locked', error.text, { cause: error });
      throw error;
    }
  }

  /** All three kinds of forges say it of their repositories. */
  async #isArchived(): Promise<boolean> {
    const place = await this.get('').catch((error: unknown) => {
      if (error instanceof RequestFailed) return null;
      throw error;
    });
    return z.object({ archived: z.literal(true) }).safeParse(place).success;
  }

  /** Returns the entries of the first pages. */
  async list<Schema extends z.ZodType>(path: string, list: List<Schema>): Promise<z.output<Schema>[]> {
    const { largest } = pageSizes[this.#forge];
    const all: unknown[] = [];
    for (let page = 1; page <= list.maxPages; page += 1) {
      const { entries, headers } = await this.#page(path, list.field, page, largest);
      all.push(...entries);
      if (entries.length === 0 || !(list.endsEmpty || hasNext(headers, all.length))) break;
    }
    return entriesOf(list.entry, all);
  }

  /** Returns no entries where the forge does not know such a list, or does not show it to this token. */
  async listIfThere<Schema extends z.ZodType>(path: string, list: List<Schema>): Promise<z.output<Schema>[]> {
    return this.list(path, list).catch((error: unknown) => {
      if (error instanceof RequestFailed && ['not_found', 'needs_token'].includes(error.reason)) return [];
      throw error;
    });
  }

  /** Returns the entries of a list that has no pages; null where it is longer than an answer may be. */
  async whole<Schema extends z.ZodType>(path: string, entry: Schema): Promise<z.output<Schema>[] | null> {
    try {
      return entriesOf(entry, await this.get(path));
    } catch (error) {
      if (!isTooLong(error)) throw error;
      return null;
    }
  }

  /** Returns the entries of the last pages, for a list that begins with the oldest. */
  async lastOf<Schema extends z.ZodType>(path: string, list: List<Schema>): Promise<z.output<Schema>[]> {
    const { largest } = pageSizes[this.#forge];
    const first = await this.#page(path, list.field, 1, largest);
    const last = Math.ceil((lastPage(first.headers) * first.size) / largest);
    const all = last <= list.maxPages ? [...first.entries] : [];
    for (let page = Math.max(2, last - list.maxPages + 1); page <= last; page += 1)
      all.push(...(await this.#page(path, list.field, page, largest)).entries);
    return entriesOf(list.entry, all);
  }

  /** Returns the end of a log; empty where there is none that this token may read. A redirect to another host is followed without the token. */
  async endOfLog(path: string): Promise<string> {
    try {
      return await this.#endOfLog(`${this.#base}${path}`);
    } catch (error) {
      if (error instanceof RequestFailed && ['not_found', 'needs_token', 'host'].includes(error.reason)) return '';
      throw error;
    }
  }

  async #endOfLog(address: string): Promise<string> {
    const home = new URL(address).origin;
    let url = new URL(address);
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const answer = await sendToForge(this.#egress, url.href, {
        headers: url.origin === home ? forgeHeaders[this.#forge](this.#token) : {},
        signal: AbortSignal.timeout(logMs),
        secrets: [this.#token],
        maxBytes: maxLogBytes,
      });
      if (answer.ok) return readEnd(answer);
      const next = answer.status >= 300 && answer.status < 400 ? URL.parse(answer.headers.location ?? '', url.href) : null;
      if (next === null) await readAnswer(answer);
      else if (next.protocol !== 'https:' && next.origin !== home) throw new RequestFailed('refused');
      else url = next;
    }
    throw new RequestFailed('refused');
  }

  /** Reads a page. One that is longer than an answer may be is read in parts; a single entry that is too long is left out. */
  async #page(path: string, field: string | undefined, page: number, size: number): Promise<Page> {
    const sizes = `${path.includes('?') ? '&' : '?'}${pageSizes[this.#forge].name}=${size}&page=${page}`;
    try {
      const { value, headers } = await this.#call('GET', `${path}${sizes}`);
      const entries = field === undefined ? value : (value as Record<string, unknown> | null)?.[field];
      return { entries: Array.isArray(entries) ? entries : [], headers, size };
    } catch (error) {
      if (!isTooLong(error)) throw error;
      return size === 1 ? { entries: [], headers: {}, size } : this.#parts(path, field, page, size);
    }
  }

  async #parts(path: string, field: string | undefined, page: number, size: number): Promise<Page> {
    const count = Math.min(size, partsOfPage);
    const read: Page = { entries: [], headers: {}, size };
    for (let part = 1; part <= count; part += 1) {
      const { entries, headers, ...of } = await this.#page(path, field, (page - 1) * count + part, size / count);
      read.entries.push(...entries);
      if (headers.link !== undefined) Object.assign(read, { headers, ...of });
    }
    return read;
  }

  #call(method: string, path: string, body?: object): Promise<ForgeAnswer> {
    return callForge(this.#egress, `${this.#base}${path}`, { method, headers: forgeHeaders[this.#forge](this.#token), body });
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof RequestFailed && error.reason === 'not_found';
}

function isTooLong(error: unknown): boolean {
  return error instanceof RequestFailed && error.cause instanceof ResponseTooLong;
}

/** Whether pages follow. Gitea counts all entries where it does not link to the next page. */
function hasNext(headers: Record<string, string>, seen: number): boolean {
  if (headers.link !== undefined) return headers.link.includes('rel="next"');
  return seen < Number(headers['x-total-count'] ?? 0);
}

/** Returns the number of the last page: 1 where no page follows. */
function lastPage({ link = '' }: Record<string, string>): number {
  const last = link.split(',').find((part) => part.includes('rel="last"')) ?? '';
  return Number(/[?&]page=(\d{1,9})\b/.exec(last)?.[1] ?? 1);
}

/** Returns an answer in the form that is expected. Throws `RequestFailed` for another one. */
export function demandForm<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { success, data } = schema.safeParse(value);
  if (!success) throw new RequestFailed('refused');
  return data;
}

/** Returns the entries of a list that have the form which is expected. */
export function entriesOf<Schema extends z.ZodType>(schema: Schema, list: unknown): z.output<Schema>[] {
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown) => {
    const { success, data } = schema.safeParse(entry);
    return success ? [data] : [];
  });
}

async function readEnd({ body }: Answer): Promise<string> {
  let end = Buffer.alloc(0);
  let isCut = false;
  try {
    for await (const piece of body) {
      end = Buffer.concat([end, piece]);
      if (end.length <= logBytes) continue;
      end = end.subarray(-logBytes);
      isCut = true;
    }
  } catch (error) {
    throw new RequestFailed('unreachable', '', { cause: error });
  }
  const text = end.toString('utf8');
  // The first line may begin in the middle of a character.
  const whole = isCut ? text.slice(text.indexOf('\n') + 1) : text;
  return withEscapedHidden(plainLog(whole));
}
