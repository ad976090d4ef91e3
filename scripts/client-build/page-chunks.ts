import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Rolldown } from 'vite';

const pages = '../../src/app';

/**
 * The chunks of the largest pages: one for modules that only the page needs, and one for those that it shares with each kind of others.
 * Otherwise there would be a chunk, and so a request, for each set of pages that share a module.
 */
export function pageChunks(): Rolldown.CodeSplittingGroup[] {
  const landing = neededBy('landing-app.tsx');
  const sections = neededBy('../landing/landing-sections.tsx', '../landing/landing-footer.tsx');
  const router = neededBy('router.tsx');
  const forms = neededBy(
    'login/login-modal.tsx',
    'routes/account/reset-password-route.tsx',
    'routes/account/verify-email-route.tsx',
    'test-pages/test-pages.tsx',
  );
  const question = neededBy('routes/question-link-route.tsx');
  const staff = neededBy('leads/leads-page.tsx', 'dead-letters/dead-letters-page.tsx');
  const workspace = neededBy('routes/demo-route.tsx', 'routes/with-tooltips.tsx');
  const others = [router, forms, staff, workspace];
  return [
    chunk(
      'shared',
      both(landing, (...module) => others.some((needs) => needs(...module))),
    ),
    chunk('landing', landing),
    chunk('parts', both(workspace, sections)),
    chunk('frame', both(workspace, router)),
    chunk('fields', both(workspace, question)),
    chunk('controls', both(workspace, forms)),
    chunk('widgets', both(workspace, staff)),
    chunk('workspace', workspace),
  ].map((group, index, all) => ({ ...group, priority: all.length - index }));
}

type Needed = (id: string, context: Rolldown.ChunkingContext) => boolean;

/** Returns the modules that `isPart` accepts and no earlier chunk has. */
function chunk(name: string, isPart: Needed): Rolldown.CodeSplittingGroup {
  return { debugName: name, name: (id, context) => (isPart(id, context) ? name : null) };
}

function both(one: Needed, other: Needed): Needed {
  return (...module) => one(...module) && other(...module);
}

/** Whether a module is imported by one of some entries, or by what those import. Throws for an entry that does not exist. */
function neededBy(...entries: string[]): Needed {
  const files = entries.map((entry) => join(import.meta.dirname, pages, entry));
  for (const file of files) if (!existsSync(file)) throw new Error(`No file for a chunk: ${file}`);
  let needed: Set<string> | null = null;
  return (id, context) => {
    needed ??= importsOf(files, (module) => context.getModuleInfo(module)?.importedIds ?? []);
    return needed.has(id);
  };
}

/**
 * framer-motion is imported through lists of all that it has, so that every page with one part of it would count as in need of all. The
 * bundler, which knows what is used, divides it by itself: what animates comes after what only draws.
 */
const motion = /\/node_modules\/(framer-motion|motion-dom|motion-utils)\//;

/** Every module that some import, or that those import. */
function importsOf(modules: readonly string[], imports: (module: string) => string[]): Set<string> {
  const found = new Set<string>();
  const visit = (module: string) => {
    for (const next of [...imports(module)]) {
      if (found.has(next) || motion.test(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  for (const module of modules) visit(module);
  return found;
}
