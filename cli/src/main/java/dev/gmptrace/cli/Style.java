package dev.gmptrace.cli;

/** Emphasis: escape sequences on a terminal, nothing elsewhere. */
enum Style {
  PLAIN,
  ANSI;

  String bold(String s) {
    return wrap("1", s);
  }

  String dim(String s) {
    return wrap("2", s);
  }

  String good(String s) {
    return wrap("32", s);
  }

  String warn(String s) {
    return wrap("33", s);
  }

  String bad(String s) {
    return wrap("1;31", s);
  }

  String link(String s) {
    return wrap("4;36", s);
  }

  private String wrap(String code, String s) {
    return this == PLAIN || s.isEmpty() ? s : "\u001b[" + code + "m" + s + "\u001b[0m";
  }

  /** How wide a text is on the screen: without its escape sequences. */
  static int width(String s) {
    int width = 0;
    for (int i = 0; i < s.length(); i++) {
      if (s.charAt(i) == '\u001b') {
        int end = s.indexOf('m', i);
        if (end < 0) {
          break;
        }
        i = end;
      } else if (!Character.isLowSurrogate(s.charAt(i))) {
        width++;
      }
    }
    return width;
  }
}
