/**
 * Shows a notification of a question where it is allowed and the page is not visible. A press on it shows the page and calls `onPress`. Where this
 * browser gets push messages, its service worker shows it: the message about the same question then takes its place.
 */
export function notify(title: string, body: string, questionId: string, onPress: () => void): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted' || document.visibilityState === 'visible') return;
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  const options = { body, tag: questionId };
  const showHere = () => {
    try {
      const shown = new Notification(title, options);
      shown.onclick = () => {
        window.focus();
        shown.close();
        onPress();
      };
    } catch {
      // Some browsers of phones allow notifications of service workers only.
      return;
    }
  };
  const data = { path: `/test-project?question=${questionId}`, questionId };
  if (workers)
    workers
      .getRegistration()
      .then((registered) => (registered ? registered.showNotification(title, { ...options, data }) : showHere()))
      .catch(showHere);
  else showHere();
}
