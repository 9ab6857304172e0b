package io.millrace.server.gridengine.advance;

/** XML as qrstat lays it out: three blanks for each level. */
final class AdvanceXml {

  private static final String HEAD =
      "<?xml version='1.0'?>\n<qrstat xmlns:xsd=\"http://arc.liv.ac.uk/repos/darcs/sge/source/dist/"
          + "util/resources/schemas/qrstat/qrstat.xsd\">\n";

  private final StringBuilder out = new StringBuilder(HEAD);
  private int level = 1;

  void open(String name) {
    line("<" + name + ">");
    level++;
  }

  void close(String name) {
    level--;
    line("</" + name + ">");
  }

  void element(String name, String value) {
    line("<" + name + ">" + escaped(value) + "</" + name + ">");
  }

  /**
   * An element without content.
   *
   * @param tag its name and attributes
   */
  void empty(String tag) {
    line("<" + tag + "/>");
  }

  /** An attribute, with a blank before it. */
  static String attribute(String name, String value) {
    return " " + name + "=\"" + escaped(value) + "\"";
  }

  private void line(String text) {
    out.append("   ".repeat(level)).append(text).append('\n');
  }

  /** Characters that XML has no form for are shown as a question mark. */
  private static String escaped(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> shown.append("&amp;");
                case '<' -> shown.append("&lt;");
                case '>' -> shown.append("&gt;");
                case '"' -> shown.append("&quot;");
                case '\'' -> shown.append("&apos;");
                default -> shown.appendCodePoint(c < ' ' ? '?' : c);
              }
            });
    return shown.toString();
  }

  String end() {
    return out + "</qrstat>\n";
  }
}
