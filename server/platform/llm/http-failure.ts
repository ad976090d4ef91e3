import type { Answer } from '../egress/egress.ts';

/** An HTTP answer, or a provider's word in the middle of a stream, that says no. Read by `failureOfError`. */
export class HttpFailure extends Error {
  readonly statusCode: number;
  readonly responseHeaders: Record<string, string>;
  readonly responseBody: string;

  constructor(statusCode: number, responseBody: string, responseHeaders: Record<string, string> = {}) {
    super(`The server answered with status ${statusCode}.`);
    this.name = 'HttpFailure';
    this.statusCode = statusCode;
    this.responseBody = responseBody;
    this.responseHeaders = responseHeaders;
  }
}

export async function httpFailure(answer: Answer): Promise<HttpFailure> {
  return new HttpFailure(answer.status, await answer.text(), answer.headers);
}
