package io.millrace.reservations.classad.functions;

import java.util.List;
import java.util.Random;

/** Texts by chance: expressions by the grammar, and texts that were spoilt. */
final class RandomTexts {

  private static final List<String> OPERANDS =
      List.of(
          "0",
          "1",
          "-1",
          "017",
          "0x1F",
          "9223372036854775807",
          "1.5",
          "1e300",
          ".5",
          "true",
          "false",
          "undefined",
          "error",
          "\"\"",
          "\"a, b\"",
          "\"1.5x\"",
          "\"\\1\\n\\\"\"",
          "a",
          "b",
          "c",
          ".a",
          "self",
          "parent",
          "root",
          "my",
          "target",
          "'odd name'",
          "l",
          "r",
          "r.x",
          "l[0]",
          "r[\"x\"]",
          "{}",
          "[]",
          "relTime(\"1+02:03:04\")",
          "absTime(\"2006-12-19Z\")",
          "CurrentTime",
          "loop",
          "PLUS_RSV_OWNER",
          "PLUS_ALL_NODES",
          "\"(a|b)*c\"");

  private static final List<String> OPERATORS =
      List.of(
          "+", "-", "*", "/", "%", "&&", "||", "&", "|", "^", "<<", ">>", ">>>", "==", "!=", "<",
          "<=", ">", ">=", "=?=", "=!=", "is", "isnt", "?:");

  private static final List<String> PREFIXES = List.of("-", "+", "!", "~", "- -");

  private static final List<String> SCRAPS =
      List.of(
          "(",
          ")",
          "[",
          "]",
          "{",
          "}",
          ";",
          ",",
          ".",
          "?",
          ":",
          "=",
          "\"",
          "'",
          "\\",
          "/*",
          "*/",
          "//",
          "\n",
          " ",
          "0x",
          "1e",
          "=?",
          "\u0000",
          "é",
          "\ud800",
          "9999999999999999999999",
          "strcat(",
          "eval(",
          "join(",
          "regexp(\"",
          "(((((",
          "[[[[",
          "!!!!");

  private final Random random;
  private final List<String> functions = List.copyOf(Functions.ALL.names());
  private final List<String> originals;

  /**
   * @param originals texts that are spoilt
   */
  RandomTexts(long seed, List<String> originals) {
    this.random = new Random(seed);
    this.originals = originals;
  }

  private String of(List<String> all) {
    return all.get(random.nextInt(all.size()));
  }

  /** An expression by the grammar. */
  String expression(int depth) {
    if (depth <= 0 || random.nextInt(5) == 0) {
      return of(OPERANDS);
    }
    return switch (random.nextInt(9)) {
      case 0 -> "(" + expression(depth - 1) + ")";
      case 1 -> of(PREFIXES) + " " + postfix(depth - 1);
      case 2 -> expression(depth - 1) + " ? " + expression(depth - 1) + " : " + postfix(depth - 1);
      case 3 -> postfix(depth - 1) + "[" + expression(depth - 1) + "]";
      case 4 -> postfix(depth - 1) + " ." + of(List.of("a", "x", "name", "'odd name'"));
      case 5 -> of(functions) + "(" + several(depth - 1) + ")";
      case 6 -> "{" + several(depth - 1) + "}";
      case 7 -> record(depth - 1);
      default -> postfix(depth - 1) + " " + of(OPERATORS) + " " + postfix(depth - 1);
    };
  }

  private String postfix(int depth) {
    return random.nextBoolean() ? of(OPERANDS) : "(" + expression(depth) + ")";
  }

  private String several(int depth) {
    StringBuilder out = new StringBuilder();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      out.append(i == 0 ? "" : ",").append(expression(depth));
    }
    return out.toString();
  }

  /** A record by the grammar. */
  String record(int depth) {
    StringBuilder out = new StringBuilder("[");
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      String name = of(List.of("a", "b", "c", "x", "loop", "PLUS_NODE_RESERVABLE"));
      out.append(name).append(" = ").append(expression(depth)).append(";");
    }
    return out.append("]").toString();
  }

  /** A text that was whole, with some places changed. */
  String spoilt() {
    StringBuilder out = new StringBuilder(random.nextInt(3) == 0 ? expression(4) : of(originals));
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int from = random.nextInt(out.length() + 1);
      int to = Math.min(out.length(), from + random.nextInt(4));
      switch (random.nextInt(4)) {
        case 0 -> out.delete(from, to);
        case 1 -> out.insert(from, of(SCRAPS));
        case 2 -> out.replace(from, to, of(OPERANDS));
        default -> out.insert(from, out.substring(random.nextInt(from + 1), to));
      }
    }
    return out.toString();
  }
}
