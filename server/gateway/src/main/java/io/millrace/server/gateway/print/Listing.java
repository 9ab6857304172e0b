package io.millrace.server.gateway.print;

import java.util.List;

/** Attributes one per line, wrapped as qstat -f does, wide, or separated by a delimiter. */
public final class Listing {

  /** Columns of a wrapped line; a tab at its beginning counts as eight. */
  private static final int COLUMNS = 79;

  private static final int AFTER_TAB = 9;

  private Listing() {}

  /** A line break is put behind a comma where one fits, else in the middle of the text. */
  public static void wrapped(StringBuilder out, List<ShownAttribute> attributes) {
    for (ShownAttribute attribute : joined(attributes)) {
      String head = "    " + attribute.fullName() + " = ";
      out.append(head);
      wrap(out, head.length(), ShownText.of(attribute.value()));
      out.append('\n');
    }
  }

  /** Writes each attribute on one line, however long. */
  public static void wide(StringBuilder out, String indent, List<ShownAttribute> attributes) {
    for (ShownAttribute attribute : joined(attributes)) {
      out.append(indent).append(attribute.fullName()).append(" = ");
      out.append(ShownText.of(attribute.value())).append('\n');
    }
  }

  /** {@code name=value} with a delimiter between them, on one line. */
  public static void separated(
      StringBuilder out, String first, String delimiter, List<ShownAttribute> attributes) {
    out.append(first);
    for (ShownAttribute attribute : joined(attributes)) {
      out.append(delimiter).append(attribute.fullName()).append('=');
      out.append(ShownText.of(attribute.value()));
    }
    out.append('\n');
  }

  /** Variable_List is one attribute on a line, and many in JSON. */
  private static List<ShownAttribute> joined(List<ShownAttribute> attributes) {
    List<ShownAttribute> result = new java.util.ArrayList<>(attributes.size());
    StringBuilder variables = null;
    int place = -1;
    for (ShownAttribute attribute : attributes) {
      if (attribute.name().equals(JobAttributeText.VARIABLES)) {
        if (variables == null) {
          variables = new StringBuilder();
          place = result.size();
        } else {
          variables.append(',');
        }
        variables.append(attribute.part()).append('=').append(escaped(attribute.value()));
      } else {
        result.add(attribute);
      }
    }
    if (variables != null) {
      result.add(place, ShownAttribute.of(JobAttributeText.VARIABLES, variables.toString()));
    }
    return result;
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace(",", "\\,");
  }

  private static void wrap(StringBuilder out, int used, String value) {
    int column = used;
    int from = 0;
    while (from < value.length()) {
      int comma = value.indexOf(',', from);
      int to = comma < 0 ? value.length() : comma + 1;
      if (from > 0 && column + to - from > COLUMNS) {
        out.append("\n\t");
        column = AFTER_TAB;
      }
      for (; from < to; from++) {
        if (column == COLUMNS) {
          out.append("\n\t");
          column = AFTER_TAB;
        }
        out.append(value.charAt(from));
        column++;
      }
    }
  }
}
