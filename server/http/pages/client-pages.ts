import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressedPage } from './addressed-page.ts';
import { isAuto, localeSetting, type PageLanguage, pageLanguage } from './landing-choice.ts';
import { helpNotFoundFile, landingPageFile, notFoundPage, pageFile, questionLinkPage } from './page-files.ts';

type ClientPages = {
  /** Whether the build contains a page for `path`. */
  has: (path: string) => boolean;
  /**
   * Answers with the prerendered page at `path` in the visitor's language. For an unknown path, answers with the page for missing addresses,
   * the help's for a path below it, and 404. A chapter of the help without the ending of its file leads to the file. Without prerendered pages
   * in the build, it answers with the client's empty page.
   */
  sendPage: (request: FastifyRequest, reply: FastifyReply, path: string) => Promise<FastifyReply>;
  /** Answers with the landing page in the visitor's language, or with the client's empty page if the build has no landing page. */
  sendLanding: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
  /** Leads to the first page of the help in the visitor's language. */
  sendToHelp: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
};

type Coding = 'br' | 'gzip' | 'identity';
type Made = { body: Buffer; etag: string; inlineScripts: string[] };

const shell = 'index.html';
/** The address of a page that a build may contain. */
const pageName = /^\/([a-z-]+)$/;
/** The address of a chapter of the help without the ending of its file. */
const helpChapter = /^\/help\/(?:ru\/)?[a-z-]+$/;
/** The address of a signed link, in lower case. */
const questionLink = /^\/q\/[\w-]+$/;

/** The pages of the client in `folder`. `origin` is the server's public address, or empty. A page is prepared once for each build. */
export function createClientPages(folder: string, origin: string): ClientPages {
  const texts = new Map<string, { version: string; text: string }>();
  const made = new Map<string, { text: string; page: Made }>();

  const read = async (file: string): Promise<string> => {
    const { ino, size, mtimeMs } = await stat(join(folder, file));
    const version = `${ino} ${size} ${mtimeMs}`;
    const known = texts.get(file);
    if (known?.version === version) return known.text;
    const text = await readFile(join(folder, file), 'utf8');
    texts.set(file, { version, text });
    return text;
  };

  const make = (text: string, key: string, path: string, coding: Coding): Made => {
    const before = made.get(key);
    if (before?.text === text) return before.page;
    const whole = addressedPage(text, origin, path);
    const body = compressed(Buffer.from(whole), coding);
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    const page = { body, etag, inlineScripts: inlineScriptsOf(whole) };
    made.set(key, { text, page });
    return page;
  };

  const send = async (request: FastifyRequest, reply: FastifyReply, file: string, path: string): Promise<FastifyReply> => {
    const coding = codingFor(request.headers['accept-encoding']);
    const { body, etag, inlineScripts } = make(await read(file), `${file} ${path} ${coding}`, path, coding);
    reply.header('cache-control', 'no-cache').header('etag', etag);
    reply.type('text/html; charset=utf-8');
    if (inlineScripts.length > 0) {
      allow(inlineScripts, reply);
      // A proxy that rewrites them would break their hashes, and the browser would refuse to run them.
      reply.header('cache-control', 'no-cache, no-transform');
    }
    if (coding !== 'identity') reply.header('content-encoding', coding);
    const isKnown = reply.statusCode === 200 && request.headers['if-none-match']?.includes(etag);
    return isKnown ? reply.status(304).send() : reply.send(body);
  };

  const choose = async ({ url, headers }: FastifyRequest) => {
    const asked = new URLSearchParams(url.replace(/^[^?]*/, '')).get('lang');
    const setting = localeSetting(await read(shell));
    const language = pageLanguage({ asked, cookies: headers.cookie, accepted: headers['accept-language'], setting });
    return {
      language,
      vary: isAuto(setting) ? 'Accept-Encoding, Accept-Language, Cookie' : 'Accept-Encoding, Cookie',
      query: asked === language ? `?lang=${language}` : '',
    };
  };
  const isThere = (file: string) => existsSync(join(folder, file));

  const fileOf = (path: string, language: PageLanguage): string | null => {
    const name = nameOf(path);
    return name && isThere(pageFile(language, name)) ? pageFile(language, name) : null;
  };

  return {
    has: (path) => fileOf(path, 'ru') !== null,
    async sendPage(request, reply, path) {
      if (helpChapter.test(path) && isThere(`${path.slice(1)}.html`)) return reply.redirect(`${path}.html`);
      const { language, query, vary } = await choose(request);
      reply.header('vary', vary);
      const file = fileOf(path, language);
      // A signed link is a secret: it is neither written into the page nor kept.
      if (file) return send(request, reply, file, questionLink.test(path) ? '/' : `${path}${query}`);
      const notFound = path.startsWith('/help/') ? helpNotFoundFile : pageFile(language, notFoundPage);
      return isThere(notFound) ? send(request, reply.status(404), notFound, '/') : send(request, reply, shell, '/');
    },
    async sendLanding(request, reply) {
      const { language, query, vary } = await choose(request);
      reply.header('vary', vary);
      const file = landingPageFile(language);
      return send(request, reply, isThere(file) ? file : shell, `/${query}`);
    },
    async sendToHelp(request, reply) {
      const { language, vary } = await choose(request);
      return reply.header('vary', vary).redirect(language === 'ru' ? '/help/ru/' : '/help/');
    },
  };
}

function nameOf(path: string): string | null {
  if (questionLink.test(path)) return questionLinkPage;
  const name = pageName.exec(path)?.[1] ?? null;
  return name === questionLinkPage ? null : name;
}

/** Returns the inline scripts of a page as hashes for a Content-Security-Policy. */
function inlineScriptsOf(page: string): string[] {
  return inlineScripts(page).map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
}

/** Allows these inline scripts in the page of this answer, and no others. */
function allow(scripts: readonly string[], reply: FastifyReply): void {
  const policy = String(reply.raw.getHeader('content-security-policy') ?? '');
  reply.header(
    'content-security-policy',
    policy.replace("script-src 'self'", (self) => [self, ...scripts].join(' ')),
  );
}

function codingFor(accepted: string | string[] | undefined): Coding {
  return takesCoding(accepted, 'br') ? 'br' : takesCoding(accepted, 'gzip') ? 'gzip' : 'identity';
}

/** Whether a header `Accept-Encoding` names the coding, and does not refuse it. */
export function takesCoding(accepted: string | string[] | undefined, coding: Coding): boolean {
  const offers = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((offer) => offer.split(';').map((part) => part.trim()));
  return offers.some(([name, quality]) => name === coding && !/^q=0(\.0*)?$/.test(quality ?? ''));
}

function compressed(body: Buffer, coding: Coding): Buffer {
  if (coding === 'gzip') return gzipSync(body, { level: 9 });
  if (coding === 'br') return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return body;
}

const opening = '<script>';
const closing = '</script>';

/** Returns the contents of a page's script elements without attributes. */
export function inlineScripts(page: string): string[] {
  const scripts: string[] = [];
  let start = page.indexOf(opening);
  while (start >= 0) {
    const end = page.indexOf(closing, start + opening.length);
    if (end < 0) break;
    scripts.push(page.slice(start + opening.length, end));
    start = page.indexOf(opening, end + closing.length);
  }
  return scripts;
}
