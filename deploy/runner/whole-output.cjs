'use strict';
/*
 * Every Node of a job begins with this file. `process.exit()` loses what a full pipe has not taken yet, so Node waits here for a pipe as other programs
 * do. A child of Node writes to a socket, which its parent may leave unread: that one is left as it is. Plain enough for Node 14.
 */
const { fstatSync } = require('node:fs');

for (const [name, fd] of [
  ['stdout', 1],
  ['stderr', 2],
]) {
  const given = Object.getOwnPropertyDescriptor(process, name);
  if (!given || !given.get || !given.configurable) continue;
  let isKnown = false;
  const get = () => {
    const stream = given.get.call(process);
    if (isKnown) return stream;
    isKnown = true;
    try {
      if (stream._handle && fstatSync(fd).isFIFO()) stream._handle.setBlocking(true);
    } catch {
      // The stream works as Node has made it.
    }
    return stream;
  };
  Object.defineProperty(process, name, { get, set: given.set, enumerable: given.enumerable, configurable: true });
}
