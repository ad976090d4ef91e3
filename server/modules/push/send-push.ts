import type { QuestionDetails } from '../../../contract/executions/question.ts';
import type { HookEvent } from '../../../contract/hook.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { callReceiver, type EventSender } from '../hooks/index.ts';
import type { PushDevices, Subscription } from './devices.ts';
import { messageOf, type PushMessage } from './message-of.ts';
import { subjectOf } from './subject-of.ts';
import type { VapidKeys } from './vapid-keys.ts';

export type SendPushDeps = {
  egress: Egress;
  devices: Pick<PushDevices, 'find' | 'forget' | 'noteAnswer'>;
  keys: VapidKeys;
  /** Reads a question of an account. Throws `not_found`. */
  question: (userId: OwnerId, id: string) => Promise<QuestionDetails>;
  languageOf: (userId: OwnerId) => Promise<Language>;
  nameOfProject: (userId: OwnerId, projectId: string) => Promise<string>;
  /** The server's public address. */
  address: () => string;
  now: () => Date;
};

/** How long a push service keeps a message for a browser that is not there (s). */
const keptSeconds = 24 * 60 * 60;

/** Sends an event to a browser, encrypted for it; not when its question is closed or its project is gone by then. A browser that the push service has forgotten is removed. */
export function createSendPush({ egress, devices, keys, question, languageOf, nameOfProject, address, now }: SendPushDeps): EventSender {
  return async ({ userId, target: deviceId, eventId, event, projectId, about }, signal) => {
    const subscription = await devices.find(userId, deviceId);
    if (!subscription) {
      await devices.forget(deviceId);
      return { problem: 'blocked', answerStatus: null };
    }
    const questionId = typeof about.questionId === 'string' ? about.questionId : null;
    const asked = questionId === null ? null : await question(userId, questionId).catch(nullIfGone);
    if (questionId !== null && asked?.state !== 'open') return { problem: null, answerStatus: null };
    const project = await nameOfProject(userId, projectId).catch(nullIfGone);
    if (project === null) return { problem: null, answerStatus: null };
    const shown = { eventId, event: event as HookEvent, projectId, project, about, question: asked };
    const message = messageOf(shown, await languageOf(userId));
    const request = await requestFor(subscription, message, { keys, eventId, subject: subjectOf(address()) });
    const outcome = await callReceiver(egress, subscription.endpoint, { ...request, signal, now });
    const { answerStatus } = outcome;
    if (answerStatus === 404 || answerStatus === 410) await devices.forget(deviceId);
    else if (answerStatus !== null) await devices.noteAnswer(deviceId, answerStatus, subscription.isFailing);
    return outcome;
  };
}

type Sender = { keys: VapidKeys; eventId: string; subject: string };

/** The call of the push service with the encrypted message. The topic is that of the event: of a repeated message the service keeps one. */
export async function requestFor(subscription: Omit<Subscription, 'isFailing'>, message: PushMessage, { keys, eventId, subject }: Sender) {
  const { default: webPush } = await import('web-push');
  const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(message), {
    vapidDetails: { subject, ...keys },
    TTL: keptSeconds,
    urgency: message.questionId === null ? 'normal' : 'high',
    topic: eventId.replaceAll('-', ''),
  });
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { method: 'POST', headers: Object.fromEntries(named) as Record<string, string>, body };
}

function nullIfGone(error: unknown): null {
  if (error instanceof ApiError && error.code === 'not_found') return null;
  throw error;
}
