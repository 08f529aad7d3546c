package dev.gmptrace.analyzer.print;

/** How text is told from bytes that are none. */
final class Utf8 {
  private Utf8() {}

  /** How many bytes the character at that place has; 0 if there is none. */
  static int length(byte[] b, int at) {
    int lead = b[at] & 0xff;
    if (lead < 0x80) {
      return 1;
    }
    int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || at + length > b.length) {
      return 0;
    }
    // The second byte also rules out what could be said shorter, surrogates, and too much.
    int low =
        switch (lead) {
          case 0xe0 -> 0xa0;
          case 0xf0 -> 0x90;
          default -> 0x80;
        };
    int high =
        switch (lead) {
          case 0xed -> 0x9f;
          case 0xf4 -> 0x8f;
          default -> 0xbf;
        };
    int second = b[at + 1] & 0xff;
    if (second < low || second > high) {
      return 0;
    }
    for (int i = 2; i < length; i++) {
      if ((b[at + i] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return length;
  }
}
