import { join } from 'node:path';
import type { Rolldown } from 'vite';

const pages = '../../src/app';
const entries = {
  landing: ['landing-app.tsx'],
  router: ['router.tsx'],
  forms: ['login/login-modal.tsx', 'routes/reset-password-route.tsx', 'test-pages/test-pages.tsx'],
  leads: ['leads/leads-page.tsx'],
  workspace: ['routes/demo-route.tsx', 'routes/with-tooltips.tsx'],
};

/**
 * The pieces that the largest pages come in: one for what only the page needs, and one for what it shares with each kind of others.
 * Else there would be a piece, and so a request, for each set of pages that share something.
 */
export function pagePieces(): Rolldown.CodeSplittingGroup[] {
  const [landing, router, forms, leads, workspace] = Object.values(entries).map(neededBy) as [Needed, Needed, Needed, Needed, Needed];
  return [
    piece(
      'shared',
      both(landing, (...module) => [router, forms, leads, workspace].some((needs) => needs(...module))),
    ),
    piece('landing', landing),
    piece('frame', both(workspace, router)),
    piece('controls', both(workspace, forms)),
    piece('widgets', both(workspace, leads)),
    piece('workspace', workspace),
  ].map((group, index, all) => ({ ...group, priority: all.length - index }));
}

type Needed = (id: string, context: Rolldown.ChunkingContext) => boolean;

/** The modules of which `isPart` holds, as far as no piece before it has them. */
function piece(name: string, isPart: Needed): Rolldown.CodeSplittingGroup {
  return { debugName: name, name: (id, context) => (isPart(id, context) ? name : null) };
}

function both(one: Needed, other: Needed): Needed {
  return (...module) => one(...module) && other(...module);
}

/** Whether a module is imported by one of some entries, or by what those import. */
function neededBy(entries: readonly string[]): Needed {
  let needed: Set<string> | null = null;
  return (id, context) => {
    needed ??= importsOf(
      entries.map((entry) => join(import.meta.dirname, pages, entry)),
      (module) => context.getModuleInfo(module)?.importedIds ?? [],
    );
    return needed.has(id);
  };
}

/** Every module that some import, or that those import. */
function importsOf(modules: readonly string[], imports: (module: string) => string[]): Set<string> {
  const found = new Set<string>();
  const visit = (module: string) => {
    for (const next of [...imports(module)]) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  for (const module of modules) visit(module);
  return found;
}
