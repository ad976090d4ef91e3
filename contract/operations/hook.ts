import type { OperationDocs } from './operation.ts';
import { times } from './samples.ts';

/** Receivers that are told of events. */
export const hookOperations: OperationDocs<'hook' | 'telegram' | 'push'> = {
  'hook.list': [
    'List the hooks of a project',
    'Returns the receivers that are told of events of the project, oldest first. Secrets are never returned.',
  ],
  'hook.create': [
    'Add a hook to a project',
    'Each ticked event is then sent to the address by POST, signed as Standard Webhooks says. The secret is returned only here. Fails with `hook_refused` for an address that this server does not call, and for an eleventh hook.',
  ],
  'hook.update': [
    'Change a hook',
    'What is not given stays. A hook that is switched off gets nothing, and what was on its way to it is stopped.',
    { body: { isOn: false }, response: { offSince: times.started, offBecause: 'owner' } },
  ],
  'hook.replaceSecret': [
    'Replace the secret of a hook',
    'Returns a new secret, only here. For 24 hours every event is signed with both, so that the receiver can change over. Fails with `hook_refused` when four replaced secrets still sign.',
    { response: { formerSecretUntil: times.started } },
  ],
  'hook.remove': ['Remove a hook', 'Removes the receiver with its list of deliveries. What was on its way to it is not sent.'],
  'hook.test': [
    'Send a test event',
    'Sends an event of the type `test` once. Its outcome is in the list of deliveries a moment later.',
    { response: { event: 'test', status: 'pending', attempt: 0, triedAt: null, answerStatus: null } },
  ],
  'hook.deliveries': [
    'List the deliveries of a hook',
    'Returns the events that were sent to the receiver in the last 30 days, newest first, each with the outcome of its last try.',
  ],
  'hook.resend': [
    'Send an event again',
    'Sends an event at once, with the same `webhook-id`, and eight tries again. Fails with `hook_refused` while the hook is off.',
    { response: { status: 'pending', attempt: 0, answerStatus: null } },
  ],
  'telegram.get': [
    'Get the Telegram chat of the account',
    'Returns the chat that the account has with the bot of this server, and what it is told of the project.',
  ],
  'telegram.createLink': [
    'Make a link to a Telegram chat',
    'The person who opens the link within 15 minutes binds a chat, once, and is told of all events of the project. It ends an earlier link, and moves a chat of another account only after a press there. Fails with `hook_refused` where the server has no bot.',
    { response: { url: 'https://t.me/artel_bot?start=MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', expiresAt: times.started } },
  ],
  'telegram.update': [
    'Change what a Telegram chat is told',
    'Sets which events of the project the chat is told, its quiet hours, and which events come in them too. What is not given stays. Fails with `hook_refused` for an account without a chat.',
    { body: { events: ['question.opened'] } },
  ],
  'telegram.remove': ['Unbind the Telegram chat', 'Nothing more is sent to the chat, and nothing can be answered from it.'],
  'push.get': [
    'List browsers that are told of events',
    'Returns the browsers of the account whose session is open, and the key that a browser needs to subscribe.',
    { response: { publicKey: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM' } },
  ],
  'push.add': [
    'Add a browser',
    'Events of all projects are sent to the browser until its session ends or its push service has forgotten it. A browser that was added before gets another address or owner. Fails with `hook_refused` for an address that is not called, and for an eleventh browser.',
    {
      body: {
        endpoint: 'https://push.example/send/eYqvAh',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
      },
    },
  ],
  'push.update': [
    'Choose what a browser is told',
    'Sets the events that are sent to the browser.',
    { body: { events: ['question.opened'] } },
  ],
  'push.remove': ['Remove a browser', 'Nothing more is sent to the browser.'],
};
