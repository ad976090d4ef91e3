import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { serveClient } from '../../../../scripts/serve-client.ts';
import { PlayedApi } from './played-api.ts';

/**
 * The built client with a played API, on one origin for all tests of a worker: the browser keeps its files. A route of Playwright would answer
 * the calls too, and switch the browser's cache off.
 */
export class PlayedSite {
  readonly #close: () => Promise<void>;
  readonly #url: string;
  #api: PlayedApi | null = null;

  private constructor(url: string, close: () => Promise<void>) {
    this.#url = url;
    this.#close = close;
  }

  static async open(): Promise<PlayedSite> {
    const { url, close } = await serveClient(join(import.meta.dirname, '../../../../dist'), (request, response) => {
      void site.#answer(request, response);
    });
    const site = new PlayedSite(url, close);
    return site;
  }

  /** Begins an API without answers, which replaces the one before. */
  play(): PlayedApi {
    this.#api = new PlayedApi(this.#url);
    return this.#api;
  }

  /** Refuses all calls until the next API begins: a page of an ended test may still make some. */
  rest(): void {
    this.#api = null;
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const sent = Buffer.concat(pieces);
    const call = { method: request.method ?? '', url: new URL(request.url ?? '', this.#url).href, body: sent.length > 0 ? sent : null };
    const reply = await this.#api?.reply(call);
    if (!reply) return void response.writeHead(404).end();
    const { status, headers, json, contentType, body = json === undefined ? undefined : JSON.stringify(json) } = reply;
    const type = json === undefined ? contentType : 'application/json; charset=utf-8';
    response.writeHead(status, { ...headers, 'cache-control': 'no-store', ...(type !== undefined && { 'content-type': type }) }).end(body);
  }
}
