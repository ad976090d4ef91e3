import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Vitest 5.1 imports packages by their path, which Node reads as a URL: `%20` in the name of a folder would become a space. */
registerHooks({
  resolve: (specifier, context, next) => {
    const isPathForImport = specifier.startsWith('/') && context.conditions.includes('import');
    return next(isPathForImport ? pathToFileURL(specifier).href : specifier, context);
  },
});
