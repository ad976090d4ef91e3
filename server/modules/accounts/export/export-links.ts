import { jwtVerify, SignJWT } from 'jose';
import { v7 } from 'uuid';
import { z } from 'zod';
import { exportLinkSeconds } from '../../../../contract/account.ts';
import { id } from '../../../../contract/common.ts';
import { ApiError } from '../../../http/api-error.ts';
import { asOwner, type OwnerId } from '../../../platform/owner-id.ts';
import type { SecretKey } from '../../../platform/secrets/secret-key.ts';

const algorithm = 'HS256';
const type = 'export+jwt';
const claims = z.object({ sub: id, sid: id, lang: z.enum(['ru', 'en']) });

export type ExportRequest = { userId: OwnerId; sessionId: string; language: 'ru' | 'en' };

/** Signs and reads the tokens of export links, each of which is another one. A browser downloads such a link itself, without the access token and without holding the file. */
export function createExportLinks(secret: SecretKey) {
  const key = secret.derive('export-links');
  return {
    sign: ({ userId, sessionId, language }: ExportRequest, nowMs: number): Promise<string> =>
      new SignJWT({ sid: sessionId, lang: language })
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setSubject(userId)
        .setJti(v7())
        .setExpirationTime(Math.floor(nowMs / 1000) + exportLinkSeconds)
        .sign(key),

    /** Throws `unauthorized` for an expired link, and for a token that was not signed here. */
    async read(token: string, nowMs: number): Promise<ExportRequest> {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [algorithm],
          typ: type,
          requiredClaims: ['exp', 'sub', 'sid'],
          currentDate: new Date(nowMs),
        });
        const { sub, sid, lang } = claims.parse(payload);
        return { userId: asOwner(sub), sessionId: sid, language: lang };
      } catch (cause) {
        throw new ApiError('unauthorized', { cause });
      }
    },
  };
}

export type ExportLinks = ReturnType<typeof createExportLinks>;
