const texts = new WeakMap<object, Buffer>();

/** A message as it goes over the wire: written once, however many sockets it goes to. */
export function messageText(message: object): Buffer {
  const known = texts.get(message);
  if (known) return known;
  const text = Buffer.from(JSON.stringify(message));
  texts.set(message, text);
  return text;
}
