'use strict';
/*
 * Every Node of a job begins with this file. `process.exit()` loses what a full pipe has not taken yet, so Node waits here for a pipe as other programs
 * do. A child of Node writes to a socket, which its parent may leave unread: that one is left as it is. Old versions of Node read this, too.
 */
// biome-ignore lint/style/useNodejsImportProtocol: Node before 14.18 does not know it
const { fstatSync } = require('fs');

for (const [name, fd] of [
  ['stdout', 1],
  ['stderr', 2],
]) {
  const { get: open, set, enumerable, configurable } = Object.getOwnPropertyDescriptor(process, name) || {};
  if (!open || !configurable) continue;
  let isKnown = false;
  const get = () => {
    const stream = open.call(process);
    if (isKnown) return stream;
    isKnown = true;
    try {
      if (stream._handle && fstatSync(fd).isFIFO()) stream._handle.setBlocking(true);
    } catch {
      // The stream works as Node has made it.
    }
    return stream;
  };
  Object.defineProperty(process, name, { get, set, enumerable, configurable });
}
