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
  const tag = new URLSearchParams(location.search).get('lang') || cookie?.[1] || setting || 'ru';
  root.lang = tag.toLowerCase().split('-')[0] === 'ru' ? 'ru' : 'en';
})();
