// Shows notifications about events (server/modules/push/message-of.ts) and leads to what they are about. It keeps no copy of the client and answers
// none of its requests.
const workspace = '/test-project';
// Other browsers end the subscription of a page that takes messages and shows none.
const mayStaySilent = /Chrome\/|Firefox\//.test(navigator.userAgent);

const addressOf = ({ url }) => new URL(url);

/** The open tabs with a project, the last used first. */
async function tabs() {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return all.filter((tab) => addressOf(tab).pathname === workspace);
}

/** A tab in view shows the event itself. */
async function tell({ title, body, tag, path, questionId }) {
  const isSeen = (await tabs()).some(({ visibilityState }) => visibilityState === 'visible');
  if (isSeen && mayStaySilent) return;
  await self.registration.showNotification(title, { body, tag, silent: isSeen, icon: '/icon-192.png', data: { path, questionId } });
  if (isSeen) for (const shown of await self.registration.getNotifications({ tag })) shown.close();
}

/** Leads to a tab that is open: of the project, or any for a question, which each shows. */
async function follow({ path, questionId }) {
  const open = await tabs();
  const project = new URLSearchParams(path.split('?')[1]).get('projectId');
  const tab = open.find((one) => addressOf(one).searchParams.get('projectId') === project) ?? (questionId ? open[0] : undefined);
  if (!tab) return self.clients.openWindow(path);
  if (questionId) tab.postMessage({ questionId });
  return tab.focus();
}

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('push', (event) => event.waitUntil(tell(event.data.json())));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(follow(event.notification.data));
});
