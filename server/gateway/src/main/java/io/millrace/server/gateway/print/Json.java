package io.millrace.server.gateway.print;

import java.util.List;
import java.util.regex.Pattern;

/**
 * JSON in the layout of PBS: tabs, a tab behind each colon, numbers without quotes. Written as it
 * goes, so that a long list is never held whole.
 */
public final class Json {

  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d{0,14})(\\.\\d{1,9})?");

  private final StringBuilder out;
  private int depth;
  private boolean first = true;

  public Json(StringBuilder out) {
    this.out = out;
  }

  /** {@code "name": {} when a name is given, else the outermost brace. */
  public Json open(String name) {
    if (name != null) {
      member(name);
    }
    out.append('{');
    depth++;
    first = true;
    return this;
  }

  public Json close() {
    depth--;
    line();
    out.append('}');
    first = false;
    if (depth == 0) {
      out.append('\n');
    }
    return this;
  }

  /** A text, even when it looks like a number. */
  public Json text(String name, String value) {
    member(name);
    quoted(value);
    return this;
  }

  /** A number when the text is one, else a text. */
  public Json value(String name, String value) {
    member(name);
    if (NUMBER.matcher(value).matches()) {
      out.append(value);
    } else {
      quoted(value);
    }
    return this;
  }

  /** A list of texts. */
  public Json array(String name, List<String> texts) {
    member(name);
    out.append('[');
    for (int i = 0; i < texts.size(); i++) {
      out.append(i == 0 ? "" : ", ");
      quoted(texts.get(i));
    }
    out.append(']');
    return this;
  }

  /** What every answer of PBS begins with. */
  public Json head(long nowSeconds, String version, String server) {
    open(null);
    value("timestamp", Long.toString(nowSeconds));
    text("pbs_version", version);
    return text("pbs_server", server);
  }

  /** Attributes of one object; those with parts become an object of their own. */
  public Json object(String name, List<ShownAttribute> attributes) {
    open(name);
    String group = null;
    for (ShownAttribute attribute : attributes) {
      if (group != null && !attribute.name().equals(group)) {
        close();
        group = null;
      }
      if (attribute.part() != null && group == null) {
        group = attribute.name();
        open(group);
      }
      value(attribute.part() == null ? attribute.name() : attribute.part(), attribute.value());
    }
    if (group != null) {
      close();
    }
    return close();
  }

  private void member(String name) {
    if (!first) {
      out.append(',');
    }
    first = false;
    line();
    quoted(name);
    out.append(":\t");
  }

  private void line() {
    out.append('\n').append("\t".repeat(depth));
  }

  private void quoted(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\t' -> out.append("\\t");
        case '\r' -> out.append("\\r");
        default -> {
          if (Character.isISOControl(c)) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
