import { holdsSecret } from '../egress/address-secrets.ts';
import { isWebAddress, type PrivateHosts } from '../egress/private-hosts.ts';

/** What an address names: a repository, and what follows the word `tree` or `blob` of a page of it: a reference, perhaps with a path. */
type RepositoryAddress = { url: string; page: string | null };

/** Words of a page's address before a reference, at GitHub, GitLab, Gitea and Bitbucket. */
const beforeReference = new Set(['tree', 'blob', 'raw', 'blame', 'edit', 'commits', 'commit', 'src', 'branch']);
/** Words of other pages of a repository. */
const otherPages = new Set([
  ...[
    'actions',
    'activity',
    'branches',
    'forks',
    'issues',
    'packages',
    'projects',
    'pull',
    'pulls',
    'pull-requests',
    'releases',
    'settings',
  ],
  ...['tags', 'wiki'],
]);
/** Gitea names the kind of the reference after `src`. */
const kindsOfReference = new Set(['branch', 'tag', 'commit']);
/** `git@host:owner/name`, the form that servers show for SSH. Without an owner it is a path on the server's disk. */
const scpForm = /^git@([^/:\s]+):([^/]+\/.+)$/;
const sshForm = /^ssh:\/\/git@([^/:\s]+)(?::\d+)?\/([^/]+\/.+)$/;

/**
 * Reads the address of a repository as people paste it: without a scheme, in the form for SSH, or that of a page in a browser. Returns the
 * address for HTTPS without a query; null for one that is none, or that holds a password or a key. With `takesPages: false` the whole path is
 * that of the repository: the path of a GitLab subgroup may look like that of a page.
 */
export function readRepositoryAddress(text: string, privateHosts: PrivateHosts, { takesPages = true } = {}): RepositoryAddress | null {
  const ssh = scpForm.exec(text) ?? sshForm.exec(text);
  const url = URL.parse(ssh ? `https://${ssh[1]}/${ssh[2]}` : /^[\w.-]+\.[\w-]+(:\d+)?\//.test(text) ? `https://${text}` : text);
  if (!url || !isWebAddress(url, privateHosts) || holdsSecret(url)) return null;
  const names = url.pathname.split('/').filter((name) => name !== '');
  if (names.length === 0) return null;
  const { repository, page } = takesPages ? splitPage(names) : { repository: names, page: [] };
  return { url: `${url.origin}/${repository.join('/')}`, page: page.length === 0 ? null : page.map(decoded).join('/') };
}

/** Splits the path of a page into that of its repository, which has an owner at least, and what the page shows. */
function splitPage(names: readonly string[]): { repository: readonly string[]; page: readonly string[] } {
  const dash = names.indexOf('-');
  const at = dash >= 2 ? dash : pagePlace;
  if (dash < 2 && !isPage(names)) return { repository: names, page: [] };
  const [word = '', ...rest] = names.slice(dash >= 2 ? at + 1 : at);
  if (!beforeReference.has(word)) return { repository: names.slice(0, at), page: [] };
  return { repository: names.slice(0, at), page: word === 'src' && kindsOfReference.has(rest[0] ?? '') ? rest.slice(1) : rest };
}

/** GitHub, Gitea and Bitbucket have pages right after owner and name. GitLab, whose repositories may be deeper, has `-` before them. */
const pagePlace = 2;

/** A repository may itself be called as a page is: a reference follows such a word, and no `.git` ends the path. */
function isPage(names: readonly string[]): boolean {
  if (names.at(-1)?.endsWith('.git')) return false;
  const word = names[pagePlace] ?? '';
  return beforeReference.has(word) ? names.length > pagePlace + 1 : otherPages.has(word);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
