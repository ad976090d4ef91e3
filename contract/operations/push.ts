import { hookEvents } from '../hook.ts';
import type { PushDevice } from '../push.ts';
import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleTimes } from './samples.ts';

const deviceId = sampleIds.project;
const device: PushDevice = {
  id: deviceId,
  name: 'Chrome 141, Android',
  events: [...hookEvents],
  addedAt: sampleTimes.created,
  fingerprint: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
  refusal: null,
};

export const pushOperations: OperationDocs<'push'> = {
  'push.get': {
    summary: 'List browsers that are told of events',
    description: 'Returns the browsers of the account whose session is open, and the key that a browser needs to subscribe.',
    example: {
      response: {
        publicKey: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
        devices: [device],
      },
    },
  },
  'push.add': {
    summary: 'Add a browser',
    description:
      'Events of all projects are sent to the browser until its session ends or its push service has forgotten it. A browser that was added before gets another address or owner. Fails with `hook_refused` for an address that is not called, and for an eleventh browser.',
    example: {
      body: {
        endpoint: 'https://push.example/send/eYqvAh',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
        name: 'Chrome 141, Android',
      },
      response: device,
    },
  },
  'push.update': {
    summary: 'Choose what a browser is told',
    description: 'Sets the events that are sent to the browser.',
    example: { params: { deviceId }, body: { events: ['question.opened'] }, response: { ...device, events: ['question.opened'] } },
  },
  'push.remove': {
    summary: 'Remove a browser',
    description: 'Nothing more is sent to the browser.',
    example: { params: { deviceId } },
  },
};
