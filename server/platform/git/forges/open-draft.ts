import type { z } from 'zod';
import { RequestFailed } from '../forge-calls.ts';
import type { OpenedRequest } from './forge.ts';
import { entriesOf } from './forge-api.ts';

type DraftCalls = {
  /** Returns the open request of the branch; null for none. `refusal`: why the forge has refused to open one. */
  find: (refusal?: RequestFailed) => Promise<OpenedRequest | null>;
  /** Returns null for an answer in another form than expected. */
  create: () => Promise<OpenedRequest | null>;
};

/** Opens a draft request, unless one is open for its branch. */
export async function openDraftOnce({ find, create }: DraftCalls): Promise<OpenedRequest> {
  const opened = (await find()) ?? (await create().catch(foundMeanwhile));
  if (!opened || !isWebAddress(opened.url)) throw new RequestFailed('refused');
  return opened;

  /** Another call may have opened it meanwhile. */
  async function foundMeanwhile(error: unknown): Promise<OpenedRequest> {
    const there = error instanceof RequestFailed && error.reason === 'refused' ? await find(error) : null;
    if (there) return there;
    throw error;
  }
}

/** Returns the request of a branch in an answer that lists open ones. */
export function openOf(head: string, request: z.ZodType<{ head: string; opened: OpenedRequest }>, list: unknown): OpenedRequest | null {
  return entriesOf(request, list).find((one) => one.head === head)?.opened ?? null;
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}
