package dev.gmptrace.analyzer.read;

/** Cuts a file into generations. Used by one thread at a time. */
interface GenerationSource {
  Step next();
}
