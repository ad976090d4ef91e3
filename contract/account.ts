import { z } from 'zod';
import { entity, id } from './common.ts';
import { email } from './email.ts';

export const passwordRule = { minLength: 10, maxLength: 128 } as const;
export const nameMaxLength = 120;

export const language = z.enum(['ru', 'en']);

/** When an account that is being deleted can no longer be taken back; null for all other accounts, absent on earlier servers. */
const deletionDueAt = z.string().nullish();

/** `language` is the language of the account; null when it has none, absent on servers that store none. */
export const user = z.object({ id, email: z.string(), name: z.string(), language: language.nullish(), deletionDueAt });
export type User = z.infer<typeof user>;

/** `emailVerified`: the link in the verification email has been opened. `isMailStored`: this server has no mail server, and only stores letters. */
export const profile = entity.extend({
  email: z.string(),
  name: z.string(),
  emailVerified: z.boolean(),
  isStaff: z.boolean(),
  isMailStored: z.boolean().optional(),
  language: language.nullish(),
  deletionDueAt,
});
export type Profile = z.infer<typeof profile>;

export const registration = z.object({
  email,
  password: z.string().min(passwordRule.minLength).max(passwordRule.maxLength),
  name: z.string().trim().min(1).max(nameMaxLength),
});
export type Registration = z.infer<typeof registration>;

export const credentials = z.object({ email, password: z.string().min(1).max(1024) });
export type Credentials = z.infer<typeof credentials>;

export const session = z.object({ accessToken: z.string(), refreshToken: z.string(), user });
export type Session = z.infer<typeof session>;

export const refreshed = z.object({ accessToken: z.string(), refreshToken: z.string().optional(), user: user.optional() });
export type Refreshed = z.infer<typeof refreshed>;

/** Changing the email needs the current password. */
export const profileUpdate = z.object({
  name: z.string().trim().min(1).max(nameMaxLength).optional(),
  email: email.optional(),
  currentPassword: z.string().max(1024).optional(),
  language: language.optional(),
});

export type ProfileChange = z.infer<typeof profileUpdate>;

/** Ends every other session of the account. */
export const passwordChange = z.object({
  currentPassword: z.string().min(1).max(1024),
  newPassword: z.string().min(passwordRule.minLength).max(passwordRule.maxLength),
});
export type PasswordChange = z.infer<typeof passwordChange>;

export const passwordForgotten = z.object({ email });

/** The token of the email works once, for 30 minutes. */
export const passwordReset = z.object({
  token: z.string().min(1).max(200),
  newPassword: z.string().min(passwordRule.minLength).max(passwordRule.maxLength),
});
export type PasswordReset = z.infer<typeof passwordReset>;

/** The token of the email works once, for 24 hours, and for the address that it was sent to. */
export const emailVerification = z.object({ token: z.string().min(1).max(200) });

/** How long a socket ticket works (s). */
export const socketTicketSeconds = 30;

/** Opens one WebSocket, once and within `expiresInSeconds`, in place of an access token in its address. */
export const socketTicket = z.object({ ticket: z.string(), expiresInSeconds: z.number() });
export type SocketTicket = z.infer<typeof socketTicket>;

export const authConfig = z.object({
  registration: z.enum(['open', 'closed']),
  passwordRule: z.object({ minLength: z.number(), maxLength: z.number() }),
  accessTokenMinutes: z.number(),
  realtime: z.enum(['auto', 'off']),
  /** Whether the server has a runner, which executes tests. */
  runner: z.boolean().default(false),
});
export type AuthConfig = z.infer<typeof authConfig>;

/** How long a deleted account can be taken back (hours). */
export const takeBackHours = 24;

export const accountDeletion = z.object({ currentPassword: z.string().min(1).max(1024) });
export type AccountDeletion = z.infer<typeof accountDeletion>;

/** The account is locked from now on, and removed at `deletionDueAt` unless its owner takes it back. */
export const leavingAccount = z.object({ deletionDueAt: z.string() });
export type LeavingAccount = z.infer<typeof leavingAccount>;

/** How long the link to an export works (s). */
export const exportLinkSeconds = 60;

/** `path`: where the export is downloaded, from the server's address. */
export const exportLink = z.object({ path: z.string(), expiresInSeconds: z.number() });
export type ExportLink = z.infer<typeof exportLink>;
