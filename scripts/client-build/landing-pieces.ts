import { join } from 'node:path';
import type { Rolldown } from 'vite';

const firstScreen = join(import.meta.dirname, '../../src/app/landing-app.tsx');
const ownFiles = /[\\/]src[\\/]landing[\\/]|[\\/]landing-route\.tsx/;

/**
 * The pieces that what the landing page's first screen needs comes in: one for what other pages have too, one for what is the page's own.
 * Else there would be a piece, and so a request, for each set of pages that share something.
 */
export function landingPieces(): Rolldown.CodeSplittingGroup[] {
  return [
    { debugName: 'shared', priority: 1, name: piece('shared', (id) => !ownFiles.test(id)) },
    { debugName: 'landing', name: piece('landing', (id) => ownFiles.test(id)) },
  ];
}

function piece(name: string, isPart: (id: string) => boolean): Rolldown.CodeSplittingNameFunction {
  let needed: Set<string> | null = null;
  return (id, context) => {
    needed ??= importsOf(firstScreen, (module) => context.getModuleInfo(module)?.importedIds ?? []);
    return needed.has(id) && isPart(id) ? name : null;
  };
}

/** Every module that one imports, or that those import. */
function importsOf(module: string, imports: (module: string) => string[]): Set<string> {
  const found = new Set<string>();
  const visit = (next: string) => {
    if (found.has(next)) return;
    found.add(next);
    for (const further of [...imports(next)]) visit(further);
  };
  for (const first of [...imports(module)]) visit(first);
  return found;
}
