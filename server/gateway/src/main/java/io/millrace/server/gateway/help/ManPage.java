package io.millrace.server.gateway.help;

import java.util.Locale;
import java.util.Map;

/** A page in roff with the macros of man(7). */
public final class ManPage {

  /** Commands of users and administrators stand in one section, as a search path holds them. */
  public static final String SECTION = "1";

  private ManPage() {}

  /**
   * @param version of Millrace, for the foot of the page
   */
  public static String of(Page page, String version) {
    StringBuilder out = new StringBuilder();
    String title = page.name().toUpperCase(Locale.ROOT);
    out.append(".TH " + quoted(title) + " " + SECTION + " \"\" " + quoted("Millrace " + version));
    out.append(" \"Millrace\"\n.SH NAME\n");
    out.append(escaped(page.name())).append(" \\- ").append(escaped(page.purpose()));
    out.append("\n.SH SYNOPSIS\n.nf\n");
    verbatim(out, page.syntax().usage().strip().replaceFirst("(?i)^usage:\\s*", ""));
    out.append(".fi\n");
    if (!page.options().isEmpty() || !page.refused().isEmpty()) {
      out.append(".SH OPTIONS\n");
    }
    for (Page.HelpEntry entry : page.options()) {
      entry(out, entry.option(), entry.text());
    }
    for (Map.Entry<Character, String> refused : page.refused()) {
      entry(out, "-" + refused.getKey(), "Not supported: " + refused.getValue() + ".");
    }
    for (Page.Section section : page.sections()) {
      out.append(".SH ").append(quoted(section.heading().toUpperCase(Locale.ROOT))).append('\n');
      for (String paragraph : section.paragraphs()) {
        out.append(".PP\n");
        if (paragraph.startsWith(" ")) {
          out.append(".nf\n");
          verbatim(out, paragraph);
          out.append(".fi\n");
        } else {
          out.append(line(paragraph)).append('\n');
        }
      }
    }
    if (!page.see().isEmpty()) {
      out.append(".SH \"SEE ALSO\"\n");
      String last = page.see().get(page.see().size() - 1);
      for (String other : page.see()) {
        out.append(".BR ").append(escaped(other)).append(" (" + SECTION + ")");
        out.append(other.equals(last) ? "\n" : " ,\n");
      }
    }
    return out.toString();
  }

  private static void entry(StringBuilder out, String option, String text) {
    String[] parts = option.split(" ", 2);
    out.append(".TP\n\\fB").append(escaped(parts[0])).append("\\fR");
    if (parts.length > 1) {
      out.append(" \\fI").append(escaped(parts[1])).append("\\fR");
    }
    out.append('\n').append(line(text)).append('\n');
  }

  private static void verbatim(StringBuilder out, String text) {
    text.lines().forEach(line -> out.append(line(line)).append('\n'));
  }

  /** A line that begins with a dot or an apostrophe would be a macro. */
  private static String line(String text) {
    String safe = escaped(text);
    return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e")
        .replace("-", "\\-")
        .replace("^", "\\(ha")
        .replace("~", "\\(ti");
  }

  private static String quoted(String text) {
    return '"' + escaped(text).replace("\"", "\\(dq") + '"';
  }
}
