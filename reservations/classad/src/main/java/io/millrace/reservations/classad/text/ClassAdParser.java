package io.millrace.reservations.classad.text;

import io.millrace.reservations.classad.text.Token.TokenKind;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import io.millrace.reservations.classad.tree.Operator;
import io.millrace.reservations.classad.tree.Scalar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Reads ClassAds: one expression, a record in the new form, or a record in the old form. */
public final class ClassAdParser {

  private static final Map<String, Operator> PREFIXES = new HashMap<>();
  private static final Map<String, Operator> INFIXES = new HashMap<>();

  static {
    Set<Operator> prefixes =
        EnumSet.of(Operator.NOT, Operator.BIT_NOT, Operator.PLUS, Operator.MINUS);
    prefixes.forEach(each -> PREFIXES.put(each.symbol(), each));
    Arrays.stream(Operator.values())
        .filter(each -> each.level() < Operator.PREFIX_LEVEL)
        .forEach(each -> INFIXES.put(each.symbol(), each));
  }

  /**
   * How a text is read.
   *
   * @param functions says of the name of a function what is wrong with it, null when nothing is
   * @param attributes the same of the name of an attribute that is defined
   */
  public record ClassAdParsingRules(
      TextBounds bounds, UnaryOperator<String> functions, UnaryOperator<String> attributes) {

    /** Any name of a function is taken, as HTCondor's library does. */
    public static final ClassAdParsingRules USUAL =
        new ClassAdParsingRules(TextBounds.USUAL, name -> null, name -> null);
  }

  /** An expression, and how deep it is. */
  private record Grown(Expression expression, int depth) {}

  private final ClassAdParsingRules rules;
  private final boolean oldForm;
  private final ClassAdLexer lexer;
  private Token token;
  private int nesting;

  private ClassAdParser(ClassAdLexer lexer, ClassAdParsingRules rules, boolean oldForm) {
    this.rules = rules;
    this.oldForm = oldForm;
    this.lexer = lexer;
    this.token = lexer.next();
  }

  /** Reads a text that is one expression of the new form. */
  public static Expression expression(String text, ClassAdParsingRules rules) {
    return of(text, rules).whole();
  }

  /** Reads a text that is one record: {@code [ name = expression; ... ]}. */
  public static RecordExpression record(String text, ClassAdParsingRules rules) {
    ClassAdParser parser = of(text, rules);
    if (!parser.token.is("[")) {
      throw parser.token.refused("a record begins with '[', not with " + parser.token.shown());
    }
    Token begin = parser.token;
    if (parser.whole() instanceof RecordExpression record) {
      return record;
    }
    throw begin.refused("behind the record that begins here an operator stands");
  }

  /**
   * Reads a record of the old form: {@code name = expression}, a line each. Lines that are empty or
   * begin with # are passed over.
   */
  public static RecordExpression oldForm(String text, ClassAdParsingRules rules) {
    check(text, rules);
    List<RecordExpression.NamedExpression> all = new ArrayList<>();
    int from = 0;
    for (int line = 1; from < text.length(); line++) {
      int newline = text.indexOf('\n', from);
      int end = newline < 0 ? text.length() : newline;
      String content = text.substring(from, end).strip();
      if (!content.isEmpty() && !content.startsWith("#")) {
        ClassAdParser parser =
            new ClassAdParser(new ClassAdLexer(text, true, from, end, line), rules, true);
        all.add(parser.attribute().getKey());
        parser.end();
      }
      from = end + 1;
    }
    return new RecordExpression(all);
  }

  private static ClassAdParser of(String text, ClassAdParsingRules rules) {
    check(text, rules);
    return new ClassAdParser(new ClassAdLexer(text, false, 0, text.length(), 1), rules, false);
  }

  private static void check(String text, ClassAdParsingRules rules) {
    if (text.length() > rules.bounds().characters()) {
      throw new ClassAdRefused(
          1,
          1,
          "the text has "
              + text.length()
              + " characters, more than the "
              + rules.bounds().characters()
              + " that are read");
    }
    int zero = text.indexOf(0);
    if (zero >= 0) {
      String before = text.substring(0, zero);
      int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
      throw new ClassAdRefused(line, zero - before.lastIndexOf('\n'), "the character 0 is no text");
    }
  }

  private Expression whole() {
    Expression read = parsed().expression();
    end();
    return read;
  }

  private void end() {
    if (token.kind() != TokenKind.END) {
      throw token.refused(token.shown() + " is too much: the expression ended before it");
    }
  }

  private Token take() {
    Token taken = token;
    token = lexer.next();
    return taken;
  }

  private void expect(String sign, String after) {
    if (!token.is(sign)) {
      throw token.refused("'" + sign + "' is missing before " + token.shown() + ", " + after);
    }
    take();
  }

  private Grown grown(Expression expression, int... parts) {
    int depth = 1;
    for (int part : parts) {
      depth = Math.max(depth, part + 1);
    }
    bound(depth, rules.bounds().depth());
    return new Grown(expression, depth);
  }

  private void bound(int depth, int most) {
    if (depth > most) {
      throw token.refused("expressions stand in each other deeper than " + most);
    }
  }

  /** Counts what is opened here, until the caller counts it off again. */
  private void open() {
    bound(++nesting, rules.bounds().nesting());
  }

  private Grown parsed() {
    open();
    Grown condition = infix(1);
    Grown result = condition;
    if (token.is("?")) {
      take();
      Grown then = parsed();
      expect(":", "which follows the ? of a condition");
      Grown otherwise = parsed();
      result =
          grown(
              new Expression.Conditional(
                  condition.expression(), then.expression(), otherwise.expression()),
              condition.depth(),
              then.depth(),
              otherwise.depth());
    }
    nesting--;
    return result;
  }

  private Operator operator() {
    return token.kind() == TokenKind.SIGN ? INFIXES.get(token.text()) : null;
  }

  /** Operators of at least this level, each grouped from the left. */
  private Grown infix(int level) {
    Grown left = prefix();
    for (Operator next = operator(); next != null && next.level() >= level; next = operator()) {
      take();
      Grown right = infix(next.level() + 1);
      left =
          grown(
              new Expression.Infix(next, left.expression(), right.expression()),
              left.depth(),
              right.depth());
    }
    return left;
  }

  private Grown prefix() {
    Operator operator = token.kind() == TokenKind.SIGN ? PREFIXES.get(token.text()) : null;
    if (operator == null) {
      return postfix();
    }
    open();
    take();
    Grown operand = prefix();
    nesting--;
    return grown(new Expression.Prefix(operator, operand.expression()), operand.depth());
  }

  private Grown postfix() {
    Grown read = primary();
    while (true) {
      if (token.is("[")) {
        take();
        Grown index = parsed();
        expect("]", "which ends an index");
        read =
            grown(
                new Expression.Subscript(read.expression(), index.expression()),
                read.depth(),
                index.depth());
      } else if (token.is(".")) {
        take();
        String name = name("after '.'");
        read = grown(new Expression.Reference(read.expression(), name, false), read.depth());
      } else if (token.is("?:")) {
        take();
        open();
        Grown right = postfix();
        nesting--;
        read =
            grown(
                new Expression.Infix(Operator.ELVIS, read.expression(), right.expression()),
                read.depth(),
                right.depth());
      } else {
        return read;
      }
    }
  }

  private String name(String where) {
    if (token.kind() != TokenKind.NAME) {
      throw token.refused("the name of an attribute is missing " + where + ": " + token.shown());
    }
    return take().text();
  }

  private Grown primary() {
    if (token.kind() == TokenKind.LITERAL) {
      return grown(new Expression.Literal(take().value()));
    }
    if (token.kind() == TokenKind.NAME) {
      Token name = take();
      return token.is("(") ? call(name) : grown(new Expression.Reference(null, name.text(), false));
    }
    if (token.is(".")) {
      take();
      return grown(new Expression.Reference(null, name("after '.'"), true));
    }
    if (token.is("(")) {
      take();
      Grown inner = parsed();
      expect(")", "which ends what is in parentheses");
      return grown(new Expression.Parentheses(inner.expression()), inner.depth());
    }
    if (token.is("{")) {
      List<Expression> items = new ArrayList<>();
      int depth = items(items, "}", "which ends a list");
      return grown(new Expression.ListExpression(items), depth);
    }
    if (token.is("[")) {
      return attributes();
    }
    throw token.refused("an expression is missing before " + token.shown());
  }

  /** What stands between the opening sign, which is next, and the closing one. */
  private int items(List<Expression> items, String close, String after) {
    int deepest = 0;
    take();
    while (!token.is(close)) {
      if (!items.isEmpty()) {
        if (!token.is(",") && !(oldForm && token.is(";") && close.equals(")"))) {
          throw token.refused(
              "',' or '" + close + "' is missing before " + token.shown() + ", " + after);
        }
        take();
      }
      Grown item = parsed();
      items.add(item.expression());
      deepest = Math.max(deepest, item.depth());
    }
    take();
    return deepest;
  }

  private Grown call(Token name) {
    String wrong = rules.functions().apply(name.text());
    if (wrong != null) {
      throw name.refused(wrong);
    }
    List<Expression> arguments = new ArrayList<>();
    int depth = items(arguments, ")", "which ends the arguments of a function");
    boolean absolute = name.text().equalsIgnoreCase("absTime");
    if ((absolute || name.text().equalsIgnoreCase("relTime"))
        && arguments.size() == 1
        && arguments.get(0) instanceof Expression.Literal literal
        && literal.value() instanceof Scalar.TextValue written) {
      checkTime(name, absolute, written.value());
    }
    return grown(new Expression.FunctionCall(name.text(), arguments), depth);
  }

  /** Times that are written down are wrong when they are read, as in HTCondor's library. */
  private static void checkTime(Token name, boolean absolute, String written) {
    if (absolute && TimeText.absolute(written) == null) {
      throw name.refused(
          "\"" + Token.cut(written) + "\" is no date and time such as 2026-11-24T18:00:00+09:00");
    }
    if (!absolute && Double.isNaN(TimeText.relative(written))) {
      throw name.refused(
          "\"" + Token.cut(written) + "\" is no length of time such as 1+02:03:04 or 2h30m");
    }
  }

  private Grown attributes() {
    List<RecordExpression.NamedExpression> all = new ArrayList<>();
    int deepest = 0;
    open();
    take();
    while (!token.is("]")) {
      if (token.is(";")) {
        take();
        continue;
      }
      Map.Entry<RecordExpression.NamedExpression, Integer> read = attribute();
      all.add(read.getKey());
      deepest = Math.max(deepest, read.getValue());
      if (!token.is(";") && !token.is("]")) {
        throw token.refused(
            "';' or ']' is missing before "
                + token.shown()
                + ", after attribute "
                + Token.cut(read.getKey().name()));
      }
    }
    take();
    nesting--;
    return grown(new RecordExpression(all), deepest);
  }

  /** An attribute, and the depth of its expression. */
  private Map.Entry<RecordExpression.NamedExpression, Integer> attribute() {
    Token first = token;
    String name = name("where one begins");
    String wrong = rules.attributes().apply(name);
    if (wrong != null) {
      throw first.refused(wrong);
    }
    if (!token.is("=")) {
      expect("=", "after the name of attribute " + Token.cut(name));
    }
    take();
    Grown expression = parsed();
    return Map.entry(
        new RecordExpression.NamedExpression(name, expression.expression()), expression.depth());
  }
}
