import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { KeyScope } from '../../contract/api-key.ts';
import type { Role } from '../../contract/members.ts';
import type { BodyOf, ParamsOf, QueryOf, ResponseOf } from '../../contract/route.ts';
import type { RouteName, Routes } from '../../contract/routes.ts';
import type { Db } from '../platform/database/database.ts';
import { asOwner, type OwnerId } from '../platform/owner-id.ts';

export type Language = 'ru' | 'en';

/** The account behind a valid access token whose session has not ended, or behind an API key. */
export type SignedIn = {
  id: string;
  sessionId: string;
  /** Milliseconds since the epoch. */
  tokenGoodUntil: number;
  email: string;
  name: string;
  language?: Language | null | undefined;
  isStaff: boolean;
  /** The API key of a program that calls for the account; absent for a session of its owner. */
  key?: CallerKey;
};

/**
 * `projectId`: the only project that the key reaches. `hasBudget`: it has a budget, so what it starts is to be charged to it. `address`: where the call
 * comes from; empty for a trigger.
 */
export type CallerKey = {
  id: string;
  name: string;
  projectId: string | null;
  scopes: readonly KeyScope[];
  hasBudget: boolean;
  address: string;
};

/** Who calls, for whose records, and with which role there. `id` is the person. */
export type Member = SignedIn & { ownerId: OwnerId; role: Role };

/** A person, or a program, that works with the own account's records. */
export function ofOwnAccount(signedIn: SignedIn): Member {
  return { ...signedIn, ownerId: asOwner(signedIn.id), role: 'owner' };
}

/**
 * Stores a call's answer under its `Idempotency-Key` in the transaction of the write itself, so that a crash loses both or neither.
 * Does nothing for a call without a key. Throws `conflict` when another call has claimed the key.
 */
export type StoreIdempotentResponse = (tx: Db, answer: unknown) => Promise<void>;

/** One validated call of one route: the argument of its handler. */
export type Call<K extends RouteName> = {
  params: ParamsOf<Routes[K]>;
  query: QueryOf<Routes[K]>;
  body: BodyOf<Routes[K]>;
  /** Null on public routes, which need no account. */
  user: Routes[K]['auth'] extends 'public' ? null : Member;
  /** From `Accept-Language`; Russian unless English is preferred. */
  language: Language;
  requestId: string;
  /** The writing tab, from `X-Client-Id`. */
  clientId: string | null;
  /** From `Idempotency-Key`, on routes that take one. A repeated key never reaches the handler once an answer is stored. */
  idempotencyKey: string | null;
  storeIdempotentResponse: StoreIdempotentResponse;
  /** On a route with continued calls: the stored answer of the first call with this key. Null for the first call. */
  earlier: unknown;
  /** The caller's address. */
  address: string;
  /** Aborts when the client has gone: its answer would reach no one. A write that must be whole does not heed it. */
  signal: AbortSignal;
  /** Whether the call comes from a program on this machine (`isLocalRequest`). */
  isLocal: boolean;
  reply: FastifyReply;
};

/** One page of a list and how many items there are in all (`X-Total-Count`). */
export type Paged<T> = { items: T[]; total: number; paged: true };

/** Marks the answer of a list as one page of it. */
export async function paged<T>(page: Promise<Omit<Paged<T>, 'paged'>>): Promise<Paged<T>> {
  const { items, total } = await page;
  return { items, total, paged: true };
}

/** An answer that is JSON already: it was written on another thread, with the keys of its route's schema only. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A file that is sent unchanged, whole or as a stream, and the name that it is saved under. */
export type Download = { content: string | Uint8Array | Readable; fileName: string };

type Answer<K extends RouteName> = Routes[K] extends { produces: string } ? Download : JsonAnswer<K> | EventAnswer<K>;

type JsonAnswer<K extends RouteName> =
  | JsonText
  | (ResponseOf<Routes[K]> extends (infer T)[] ? ResponseOf<Routes[K]> | Paged<T> : ResponseOf<Routes[K]>);

type EventAnswer<K extends RouteName> = Routes[K] extends { events: true } ? Readable : never;

/** A route without content is answered with nothing. */
export type Handler<K extends RouteName> = (call: Call<K>) => ResponseOf<Routes[K]> extends undefined ? Promise<void> : Promise<Answer<K>>;

/** A handler for every route of the contract. */
export type Handlers = { [K in RouteName]: Handler<K> };
