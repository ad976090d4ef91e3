import { z } from 'zod';
import { type Answer, type Egress, HostRefused, ResponseTooLong } from '../../platform/egress/egress.ts';
import { isListedHost } from '../../platform/egress/listed-hosts.ts';
import { isWebAddress, type PrivateHosts } from '../../platform/egress/private-hosts.ts';
import type { HtmlText } from '../../platform/html/html-text.ts';
import type { ToolContext, ToolProvider, ToolResult } from './run-tool.ts';
import { failed, fill, partOf, refusedHere, schemaTool, toolWords } from './schema-tool.ts';

/** The longest body (bytes). */
const maxBytes = 1024 * 1024;
/** More hosts are not named to the model. */
const maxNamed = 20;

const fetchArguments = z.object({ url: z.string().max(2_000), offset: z.number().int().min(0).optional() });

const isHtml = (type: string) => type === 'text/html' || type === 'application/xhtml+xml';
const isText = (type: string) => /^text\/|^application\/(json|xml|javascript|yaml|toml)$|\+(json|xml)$/.test(type);

type FetchToolDeps = {
  /** The hosts of the operator that agents may read, as in `isListedHost`. Without any, and without hosts of the project, there is no tool. */
  hosts: readonly string[];
  /** What of private networks may be read, also without TLS. */
  allowPrivateHosts: PrivateHosts;
  egress: Egress;
  html: Pick<HtmlText, 'toText'>;
};

/**
 * The tool that reads a web page as text, by GET, from hosts that the operator or the project lists. Redirects are named to the model, not
 * followed. A person of the project has opened its hosts for all that a run knows. Those of the operator ask once results from outside are
 * in the run.
 */
export function createFetchTool({ hosts: ofOperator, allowPrivateHosts, egress, html }: FetchToolDeps): ToolProvider {
  const read = async (
    hosts: readonly string[],
    { url: given, offset = 0 }: z.output<typeof fetchArguments>,
    context: ToolContext,
  ): Promise<ToolResult> => {
    const { signal, language } = context;
    const say = toolWords[language];
    const url = URL.canParse(given) ? new URL(given) : null;
    if (!url || !isWebAddress(url, allowPrivateHosts) || url.username !== '' || url.password !== '') return refusedHere(say.noPageAddress);
    if (!isListedHost(url.host, hosts)) return refusedHere(fill(say.hostNotListed, { host: url.host, hosts: named(hosts) }));
    url.hash = '';
    try {
      const answer = await egress(url.href, { signal, headers: { accept: 'text/html, text/*, application/json', 'user-agent': 'Artel' } });
      const { location } = answer.headers;
      if (answer.status >= 300 && answer.status < 400 && location && URL.canParse(location, url.href))
        return failed(fill(say.leadsTo, { address: new URL(location, url.href).href.slice(0, 2_000) }));
      if (!answer.ok) return failed(fill(say.pageAnswered, { status: answer.status }));
      const [type = '', ...parameters] = (answer.headers['content-type'] ?? '').toLowerCase().split(';');
      const mime = type.trim();
      if (!isHtml(mime) && !isText(mime)) return failed(fill(say.pageNotText, { type: mime.slice(0, 100) || '?' }));
      const body = decoded(await bytesOf(answer), parameters);
      return { ok: true, text: partOf(isHtml(mime) ? await html.toText(body, signal) : body, offset, say) };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof HostRefused) return failed(say.hostClosed);
      if (error instanceof ResponseTooLong) return failed(say.tooLong);
      return failed(fill(say.pageNotRead, { reason: String((error as NodeJS.ErrnoException).code ?? (error as Error).name) }));
    }
  };

  return {
    async toolsFor({ language, fetchHosts }) {
      const hosts = [...new Set([...fetchHosts, ...ofOperator])];
      if (hosts.length === 0) return [];
      const description = fill(toolWords[language].fetchPage, { hosts: named(hosts) });
      const isTrusted = (args: object) => {
        const host = hostOf(args);
        return host !== null && isListedHost(host, fetchHosts);
      };
      const about = { name: 'fetch_page', description, effect: 'read', source: 'fetch', policy: 'auto', isTrusted, hostOf } as const;
      return [schemaTool(about, fetchArguments, (args, context) => read(hosts, args, context))];
    },
  };
}

function hostOf(args: object): string | null {
  const { url } = args as { url?: unknown };
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : null;
}

function named(hosts: readonly string[]): string {
  return hosts.slice(0, maxNamed).join(', ') + (hosts.length > maxNamed ? ', …' : '');
}

/** Throws `ResponseTooLong` past the limit. */
async function bytesOf({ body }: Answer): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > maxBytes) throw new ResponseTooLong();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Decodes by the charset of the content type, or as UTF-8. */
function decoded(bytes: Uint8Array, parameters: readonly string[]): string {
  const charset = parameters.map((part) => /^\s*charset="?([\w.:-]{1,40})"?\s*$/.exec(part)?.[1]).find((found) => found !== undefined);
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
