/** The time of a clock that runs, as `m:ss`, from one hour on as `h:mm:ss`. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

const secondNumbers = new Map<string, Intl.NumberFormat>();

/** How long something took: below one second in tenths, as "0.4 s", else as a clock shows it. */
export function durationText(ms: number, language: string): string {
  if (ms >= 1_000) return clock(ms);
  let numbers = secondNumbers.get(language);
  if (!numbers) {
    numbers = new Intl.NumberFormat(language, { style: 'unit', unit: 'second', unitDisplay: 'narrow', maximumFractionDigits: 1 });
    secondNumbers.set(language, numbers);
  }
  // What took any time at all is never shown as none.
  const tenths = ms > 0 ? Math.max(1, Math.floor(ms / 100)) : 0;
  const parts = numbers.formatToParts(tenths / 10).filter(({ type }) => type !== 'literal');
  const unit = parts.find(({ type }) => type === 'unit')?.value ?? '';
  const number = parts.map(({ type, value }) => (type === 'unit' ? '' : value)).join('');
  return `${ms > 0 && ms < 100 ? '< ' : ''}${number}\u00a0${unit}`;
}
