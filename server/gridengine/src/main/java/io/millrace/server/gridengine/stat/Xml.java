package io.millrace.server.gridengine.stat;

import io.millrace.server.gateway.print.ShownText;

/**
 * XML as Grid Engine lays it out: two blanks for each level, an element with a text on one line.
 */
final class Xml {

  static final String HEAD = "<?xml version='1.0'?>\n";
  private static final String SCHEMA =
      " xmlns:xsd=\"http://arc.liv.ac.uk/repos/darcs/sge/source/dist/util/resources/schemas/qstat/";

  private final StringBuilder out = new StringBuilder(HEAD);
  private int level;

  /** The root, with the name of its schema. */
  Xml root(String name, String schema) {
    out.append('<').append(name).append(' ').append(SCHEMA).append(schema).append("\">\n");
    level++;
    return this;
  }

  Xml open(String name) {
    return openWith(name, "");
  }

  /**
   * @param attributes as they stand in the tag; empty for none
   */
  Xml openWith(String name, String attributes) {
    indent().append('<').append(name).append(attributes).append(">\n");
    level++;
    return this;
  }

  Xml close(String name) {
    level--;
    indent().append("</").append(name).append(">\n");
    return this;
  }

  Xml element(String name, Object value) {
    return elementWith(name, "", value);
  }

  Xml elementWith(String name, String attributes, Object value) {
    indent().append('<').append(name).append(attributes).append('>');
    out.append(escaped(value.toString())).append("</").append(name).append(">\n");
    return this;
  }

  private StringBuilder indent() {
    return out.append("  ".repeat(level));
  }

  /** No XML has control characters, but for line ends and tabs, nor what is no character. */
  static String escaped(String text) {
    return ShownText.of(text)
        .replace('\ufffe', '?')
        .replace('\uffff', '?')
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&apos;");
  }

  /** An attribute of a tag, with a blank before it. */
  static String attribute(String name, Object value) {
    return " " + name + "=\"" + escaped(value.toString()) + "\"";
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
