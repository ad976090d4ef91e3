import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

export type HeaderRule = {
  publicUrl: string | null;
  /** Origins of other servers that the client may call. */
  apiOrigins: readonly string[];
};

/** Sets Helmet's headers, with a policy that runs no inline or evaluated script except those of the build's pages (`client-pages.ts`). */
export async function securityHeaders(app: FastifyInstance, rule: HeaderRule): Promise<void> {
  const secure = rule.publicUrl?.startsWith('https:') ?? false;
  const elsewhere = rule.apiOrigins.flatMap((origin) => [origin, origin.replace(/^http/, 'ws')]);
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        // Libraries position elements by style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        // PixiJS decodes pictures in a worker made from a blob.
        workerSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", 'data:', 'blob:', ...elsewhere],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: secure ? { maxAge: 15_552_000 } : false,
    referrerPolicy: { policy: 'same-origin' },
  });
}
