/** A text field of the page with a limit. */
type Field = Pick<HTMLTextAreaElement, 'value' | 'maxLength' | 'selectionStart' | 'selectionEnd' | 'type'>;

/** A text that did not fit into its field. `isTyped`: it was typed into a full field. */
export type LeftOut = { text: string; max: number; isTyped: boolean; isSecret: boolean };

/**
 * Calls back with each text, or part of one, that the browser leaves out because a field below `frame` is full: pasted, dropped, typed or composed.
 * Without it a browser cuts at `maxLength` and says nothing. Returns the function that ends this. G8.33
 */
export function watchLimits(frame: EventTarget, onLeftOut: (leftOut: LeftOut) => void): () => void {
  const watching = new AbortController();
  const { signal } = watching;
  /** The characters beside a text that is being composed. */
  let beside = 0;

  const report = (field: Field, text: string, isTyped: boolean) => {
    const { maxLength: max, type } = field;
    if (text !== '') onLeftOut({ text, max, isTyped, isSecret: type === 'password' });
  };
  const onBeforeInput = (event: Event) => {
    const field = limitedField(event);
    if (!field || event.defaultPrevented) return;
    const { inputType } = event as InputEvent;
    if (inputType !== 'insertCompositionText') report(field, excess(field, insertedText(event as InputEvent)), inputType === 'insertText');
  };
  const onCompositionStart = (event: Event) => {
    const field = limitedField(event);
    if (field) beside = charactersBeside(field);
  };
  const onCompositionEnd = (event: Event) => {
    const field = limitedField(event);
    if (field) report(field, (event as CompositionEvent).data.slice(Math.max(0, field.maxLength - beside)), true);
  };
  frame.addEventListener('beforeinput', onBeforeInput, { signal });
  frame.addEventListener('compositionstart', onCompositionStart, { signal });
  frame.addEventListener('compositionend', onCompositionEnd, { signal });
  return () => watching.abort();
}

/** The text that an event inserts, as a field counts it. */
export function insertedText({ data, dataTransfer }: Pick<InputEvent, 'data' | 'dataTransfer'>): string {
  return (data ?? dataTransfer?.getData('text/plain') ?? '').replaceAll('\r\n', '\n');
}

/** The part of a text that does not fit into a field in place of its selection. */
export function excess(field: Omit<Field, 'type'>, text: string): string {
  return text.slice(Math.max(0, field.maxLength - charactersBeside(field)));
}

function charactersBeside({ value, selectionStart, selectionEnd }: Omit<Field, 'type'>): number {
  return value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0));
}

function limitedField({ target }: Event): Field | null {
  const field = target as (Partial<Field> & EventTarget) | null;
  return field?.maxLength !== undefined && field.maxLength >= 0 && typeof field.value === 'string' ? (field as Field) : null;
}
