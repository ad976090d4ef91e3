import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { notFoundPage, pageFile, questionLinkPage } from '../../server/http/pages/page-files.ts';
import { type Language, languages } from '../../src/ui/i18n/languages.ts';
import { afterBuild } from './after-build.ts';
import { type PageHead, withHead } from './page-head.ts';

/** The keys of a page's head in the locales. Without a title the page has the product's name. */
type HeadWords = {
  title?: string;
  description: string /** Search engines may show it. */;
  open?: boolean /** Its address is not in the head: it has a secret, or none leads to it. */;
  unaddressed?: boolean;
};

const developers = ['test-auth', 'simple-test', 'login-test', 'storage-test'] as const;
export const demoPage = 'public-test';

/** The pages that the client draws into its empty one, by their addresses. Each is titled as the client titles it once its script has run. */
export const clientPages: Record<string, HeadWords> = {
  [demoPage]: { title: 'workspace:demo.pageTitle', description: 'workspace:demo.pageDescription', open: true },
  'privacy-policy': { title: 'privacy:title', description: 'privacy:intro', open: true },
  forbidden: { title: 'common:forbidden.title', description: 'common:forbidden.text' },
  'reset-password': { title: 'auth:reset.kicker', description: 'auth:reset.text' },
  'verify-email': { title: 'auth:verify.kicker', description: 'auth:verify.text' },
  ...Object.fromEntries(developers.map((name) => [name, { title: `developer:${name}.title`, description: `developer:${name}.intro` }])),
  'test-project': { description: 'landing:hero.lead' },
  leads: { title: 'leads:title', description: 'landing:hero.lead' },
  'dead-letters': { title: 'dead-letters:title', description: 'landing:hero.lead' },
  bench: { description: 'landing:hero.lead' },
  [questionLinkPage]: { title: 'question-link:title', description: 'question-link:description', unaddressed: true },
  [notFoundPage]: { title: 'common:fault.notFoundTitle', description: 'common:fault.notFoundText', unaddressed: true },
};

/** Beside the client's page, whose head speaks both languages, a build writes it for each of its addresses in each language. */
export function pagesByAddress(): Plugin {
  return afterBuild('artel:pages-by-address', async (dist, { root }) => {
    for (const name of Object.keys(clientPages)) if (name !== demoPage) await writeClientPage(dist, root, name);
  });
}

/** Writes the client's page for one address in each language. */
async function writeClientPage(dist: string, root: string, name: string): Promise<void> {
  const shell = await readFile(join(dist, 'index.html'), 'utf8');
  for (const language of languages) {
    const file = join(dist, pageFile(language, name));
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, await clientPage(shell, root, name, language));
  }
}

/** The client's page for one address in one language. Throws where the locales under `root` have no such words. */
export async function clientPage(shell: string, root: string, name: string, language: Language): Promise<string> {
  return withHead(shell, await pageHead(root, name, language));
}

/** The head of the client's page for one address in one language. Throws where the locales under `root` have no such words. */
export async function pageHead(root: string, name: string, language: Language): Promise<PageHead> {
  const { title, description, open = false, unaddressed = false } = clientPages[name] ?? { description: '' };
  const site = await textAt(root, language, 'common:product');
  return {
    language,
    site,
    open,
    title: title ? `${await textAt(root, language, title)} · ${site}` : site,
    description: await textAt(root, language, description),
    path: unaddressed ? null : `/${name}`,
  };
}

async function textAt(root: string, language: Language, key: string): Promise<string> {
  const [area = '', path = ''] = key.split(':');
  const texts: unknown = JSON.parse(await readFile(join(root, 'locales', language, `${area}.json`), 'utf8'));
  const text = path.split('.').reduce((branch, step) => (branch as Record<string, unknown> | undefined)?.[step], texts);
  if (typeof text !== 'string') throw new Error(`The locales have no ${language}/${key}`);
  return text;
}
