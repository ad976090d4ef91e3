/** The part of framer-motion that animates. It has a file of its own, so that it loads after the first screen. */
export { domAnimation } from 'framer-motion';
