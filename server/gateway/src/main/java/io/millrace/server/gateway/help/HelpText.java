package io.millrace.server.gateway.help;

import java.util.List;
import java.util.Map;

/** A page as plain text, for {@code --help}. */
public final class HelpText {

  private static final int WIDTH = 100;
  private static final String INDENT = "  ";
  private static final int TEXT_COLUMN = 26;

  private HelpText() {}

  public static String of(Page page) {
    StringBuilder out = new StringBuilder();
    out.append(page.name()).append(": ").append(page.purpose()).append("\n\n");
    out.append(page.syntax().usage().strip()).append('\n');
    if (!page.options().isEmpty()) {
      out.append('\n');
    }
    for (Page.HelpEntry entry : page.options()) {
      entry(out, entry.option(), entry.text());
    }
    for (Map.Entry<Character, String> refused : page.refused()) {
      entry(out, "-" + refused.getKey(), "not supported: " + refused.getValue());
    }
    for (Page.Section section : page.sections()) {
      out.append('\n').append(section.heading()).append('\n');
      for (String paragraph : section.paragraphs()) {
        if (paragraph.startsWith(" ")) {
          out.append(paragraph).append('\n');
        } else {
          wrap(out, INDENT, paragraph);
        }
      }
    }
    if (!page.see().isEmpty()) {
      out.append("\nsee also: ").append(String.join(", ", page.see())).append('\n');
    }
    return out.toString();
  }

  private static void entry(StringBuilder out, String option, String text) {
    String head = INDENT + option;
    if (head.length() + 2 > TEXT_COLUMN) {
      out.append(head).append('\n');
      head = "";
    }
    List<String> lines = lines(text, WIDTH - TEXT_COLUMN);
    for (String line : lines) {
      out.append(head).append(" ".repeat(TEXT_COLUMN - head.length())).append(line).append('\n');
      head = "";
    }
  }

  private static void wrap(StringBuilder out, String indent, String text) {
    for (String line : lines(text, WIDTH - indent.length())) {
      out.append(indent).append(line).append('\n');
    }
  }

  private static List<String> lines(String text, int width) {
    StringBuilder out = new StringBuilder();
    int length = 0;
    for (String word : text.split(" ")) {
      if (length > 0 && length + 1 + word.length() > width) {
        out.append('\n');
        length = 0;
      } else if (length > 0) {
        out.append(' ');
        length++;
      }
      out.append(word);
      length += word.length();
    }
    return out.toString().lines().toList();
  }
}
