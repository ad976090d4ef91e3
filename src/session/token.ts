/** The fields of an access token that the client reads. */
type TokenPayload = { exp?: number } & { [Field in TextField]?: string };

const textFields = ['nameid', 'sub', 'userId', 'unique_name', 'name', 'email'] as const;
type TextField = (typeof textFields)[number];

type TokenCheck =
  | { valid: true; payload: TokenPayload /** Without one the token still counts; it is worth a note. */; hasUserId: boolean }
  | { valid: false; reason: 'absent' | 'malformed' | 'expired' };

/** Returns whether an access token is valid at `now` (ms): three parts, a payload that decodes, `exp` not in the past. */
export function checkToken(token: string | null, now: number): TokenCheck {
  if (!token) return { valid: false, reason: 'absent' };
  const decoded = decodeToken(token);
  if (!decoded) return { valid: false, reason: 'malformed' };
  if (decoded.exp !== undefined && decoded.exp * 1000 < now) return { valid: false, reason: 'expired' };
  return { valid: true, payload: decoded, hasUserId: userIdOf(decoded) !== '' };
}

/** Decodes the payload of a token of three dot-separated parts; null if it is malformed. The server checks the signature. */
export function decodeToken(token: string): TokenPayload | null {
  const parts = token.split('.');
  const body = parts[1];
  if (parts.length !== 3 || !body) return null;
  try {
    const bytes = Uint8Array.from(atob(body.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
    return readPayload(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

/** Picks the known fields of the right type. Uses no schema library, so that visitors who never sign in load none. */
function readPayload(from: unknown): TokenPayload | null {
  if (typeof from !== 'object' || from === null) return null;
  const payload: TokenPayload = {};
  const { exp } = from as { exp?: unknown };
  if (exp !== undefined && typeof exp !== 'number') return null;
  if (exp !== undefined) payload.exp = exp;
  for (const field of textFields) {
    const value = (from as Record<string, unknown>)[field];
    if (typeof value === 'string') payload[field] = value;
  }
  return payload;
}

/** A signed-in user in the page. `tokenValid` is set only when the profile was built from the token. */
export type SessionUser = { id: string; email: string; name: string; tokenValid?: boolean };

/** Returns the basic user that the token describes. */
export function userFromToken(from: TokenPayload): SessionUser {
  const email = from.email ?? '';
  return { id: userIdOf(from), email, name: from.name ?? from.unique_name ?? email, tokenValid: true };
}

function userIdOf(from: TokenPayload): string {
  return from.nameid ?? from.sub ?? from.userId ?? '';
}
