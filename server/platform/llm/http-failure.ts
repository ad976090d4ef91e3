import type { Answer } from '../egress/egress.ts';

/** A failed HTTP answer, or a provider's error in the middle of a stream. Read by `failureOfError`. */
export class HttpFailure extends Error {
  readonly statusCode: number;
  readonly responseHeaders: Record<string, string>;
  readonly responseBody: string;
  /** The server has refused the tools of the call. */
  refusesTools = false;

  constructor(statusCode: number, responseBody: string, responseHeaders: Record<string, string> = {}) {
    super(`The server answered with status ${statusCode}.`);
    this.name = 'HttpFailure';
    this.statusCode = statusCode;
    this.responseBody = responseBody;
    this.responseHeaders = responseHeaders;
  }
}

export async function httpFailure(answer: Answer): Promise<HttpFailure> {
  return new HttpFailure(answer.status, await beginningOf(answer), answer.headers);
}

/** The part of an error body that is read (bytes): the status tells the kind of failure, the first sentences the reason. */
const refusalBytes = 64 * 1024;

async function beginningOf(answer: Answer): Promise<string> {
  const decoder = new TextDecoder();
  let read = '';
  let length = 0;
  for await (const piece of answer.body) {
    length += piece.length;
    read += decoder.decode(piece, { stream: true });
    if (length > refusalBytes) break;
  }
  return read;
}

/** Returns the title of a page of HTML; an empty text for one without, and for what is no page. */
export function titleOf(page: string): string {
  return /<title[^>]{0,200}>([^<]{0,500})/i.exec(page)?.[1]?.trim() ?? '';
}
