import { callerOf } from './call-api.ts';
import { lettersTo } from './read-outbox.ts';
import type { TestServer } from './start-server.ts';

/** The token of the newest email with a verification link, once as many emails as expected have arrived. */
export async function verificationToken(dataDir: string, email: string, many = 1): Promise<string> {
  const text = (await lettersTo(dataDir, email, many)).at(-1)?.text ?? '';
  const token = /\/verify-email\?token=([\w-]{43})$/m.exec(text)?.[1];
  if (token === undefined) throw new Error(`The email to ${email} has no link: ${text}`);
  return token;
}

/** Opens the verification link from the sign-up email. */
export async function verifyEmail({ url, dataDir }: Pick<TestServer, 'url' | 'dataDir'>, email: string): Promise<void> {
  await callerOf(url).ask('auth.verifyEmail', { body: { token: await verificationToken(dataDir, email) } });
}
