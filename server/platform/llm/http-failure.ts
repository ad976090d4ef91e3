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

export async function httpFailure(response: Response): Promise<HttpFailure> {
  return new HttpFailure(response.status, await response.text(), Object.fromEntries(response.headers));
}
