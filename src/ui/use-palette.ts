import { useMemo } from 'react';
import { useObserved } from '../state/use-observed.ts';
import { forcedPalette, type Palette, palette, type SystemColours, type ThemeName } from './palette.ts';

const forced = '(forced-colors: active)';
const more = '(prefers-contrast: more)';

type Contrast = 'usual' | 'more' | 'forced';

/** Notifies when a person changes the system's contrast. */
const contrastChanges = {
  subscribe: (listener: () => void) => {
    const lists = [forced, more].map((query) => matchMedia(query));
    for (const list of lists) list.addEventListener('change', listener);
    return () => {
      for (const list of lists) list.removeEventListener('change', listener);
    };
  },
};

/** The colours of what is drawn without CSS: those of the theme, with more contrast or in the system's own colours where a person has set that. */
export function usePalette(theme: ThemeName): Palette {
  const contrast = useObserved<Contrast>(contrastChanges, readContrast, () => 'usual');
  return useMemo(() => (contrast === 'forced' ? forcedPalette(systemColours()) : palette(theme, contrast)), [theme, contrast]);
}

function readContrast(): Contrast {
  if (matchMedia(forced).matches) return 'forced';
  return matchMedia(more).matches ? 'more' : 'usual';
}

function systemColours(): SystemColours {
  const probe = document.body.appendChild(document.createElement('i'));
  const read = (name: string) => {
    probe.style.color = name;
    const [red = 0, green = 0, blue = 0] = getComputedStyle(probe).color.match(/\d+/g)?.map(Number) ?? [];
    return (red << 16) | (green << 8) | blue;
  };
  const colours = {
    canvas: read('canvas'),
    text: read('canvastext'),
    grey: read('graytext'),
    highlight: read('highlight'),
    highlightText: read('highlighttext'),
  };
  probe.remove();
  return colours;
}
