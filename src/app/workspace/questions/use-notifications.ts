import { useCallback, useState } from 'react';

type Permission = NotificationPermission | 'unsupported';

const current = (): Permission => (typeof Notification === 'undefined' ? 'unsupported' : Notification.permission);

/** The browser's permission to show notifications, and the function that asks the user for it. */
export function useNotifications(): { permission: Permission; ask: () => void } {
  const [permission, setPermission] = useState<Permission>(current);
  const ask = useCallback(() => void Notification.requestPermission().then(setPermission), []);
  return { permission, ask };
}

/** Shows a notification where it is allowed and the page is not visible. A press on it shows the page and calls `onPress`. */
export function notify(title: string, body: string, tag: string, onPress: () => void): void {
  if (current() !== 'granted' || document.visibilityState === 'visible') return;
  try {
    const shown = new Notification(title, { body, tag });
    shown.onclick = () => {
      window.focus();
      shown.close();
      onPress();
    };
  } catch {
    // Some browsers of phones allow notifications of service workers only.
    return;
  }
}
