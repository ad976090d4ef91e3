// Runs before the first paint, so that neither the other theme nor the other language flashes up. The page's own code
// goes on from what is written here: data-theme and theme-color (src/ui/theme.tsx), lang (src/ui/i18n/start-i18n.ts).
(() => {
  const root = document.documentElement;

  let stored = null;
  try {
    stored = localStorage.getItem('theme');
  } catch {
    // Storage is denied: the system's preference stands.
  }
  const chosen = stored === 'dark' || stored === 'light';
  const dark = chosen ? stored === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'dark' : 'light';
  document.querySelector('meta[name="theme-color"]').content = dark ? '#0f172a' : '#ffffff';

  // The address, then the visitor's choice, then the operator's setting, which the build wrote into the page.
  const setting = document.querySelector('meta[name="default-locale"]').content;
  const cookie = document.cookie.match(/(?:^|;\s*)language=([^;]+)/);
  const base = (tag) => tag.toLowerCase().split('-')[0];
  const known = (tag) => base(tag) === 'ru' || base(tag) === 'en';
  const preferred = () => (setting.toLowerCase() === 'auto' ? (navigator.languages.find(known) ?? 'ru') : setting);
  const asked = new URLSearchParams(location.search).get('lang');
  const tag = asked || cookie?.[1] || preferred() || 'ru';
  root.lang = base(tag) === 'ru' ? 'ru' : 'en';
  // What the address chose is kept as what the buttons choose (src/ui/i18n/language-cookie.ts).
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads this cookie, and the Cookie Store API is not everywhere
  if (asked && known(asked)) document.cookie = `language=${root.lang}; Path=/; Max-Age=31536000; SameSite=Lax`;
})();
