package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.Arguments;
import io.millrace.reservations.classad.evaluation.BuiltIn;
import io.millrace.reservations.classad.evaluation.Evaluator;
import io.millrace.reservations.classad.evaluation.ListValue;
import io.millrace.reservations.classad.evaluation.Logic;
import io.millrace.reservations.classad.evaluation.RecordValue;
import io.millrace.reservations.classad.evaluation.Scope;
import io.millrace.reservations.classad.text.ClassAdParser;
import io.millrace.reservations.classad.text.ClassAdRefused;
import io.millrace.reservations.classad.text.TextBounds;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;

/** Functions that look at expressions as such, or evaluate them elsewhere. */
final class ContextFunctions {

  static final Map<String, BuiltIn> TABLE =
      Map.of(
          "eval", TypeFunctions.one(ContextFunctions::eval),
          "unparse", TypeFunctions.one(ContextFunctions::unparse),
          "unresolved", ContextFunctions::unresolved,
          "evalInEachContext", ContextFunctions::evalInEachContext,
          "countMatches", ContextFunctions::countMatches);

  private ContextFunctions() {}

  private static Value eval(Arguments arguments) {
    Evaluator evaluator = arguments.evaluator();
    String text = Conversion.text(evaluator, arguments.value(0));
    if (text == null) {
      return Scalar.ERROR;
    }
    evaluator.charge(5 + text.length() / 4);
    ClassAdParser.ClassAdParsingRules rules =
        new ClassAdParser.ClassAdParsingRules(
            new TextBounds(evaluator.surroundings().bounds().characters(), 100, 50),
            name -> null,
            name -> null);
    Expression parsed;
    try {
      parsed = ClassAdParser.expression(text, rules);
    } catch (ClassAdRefused e) {
      // What is no expression is an error of the language, not of the text around it.
      return Scalar.ERROR;
    }
    return evaluator.value(parsed, arguments.scope());
  }

  private static Value unparse(Arguments arguments) {
    if (!(arguments.expression(0) instanceof Expression.Reference reference)) {
      return Scalar.ERROR;
    }
    Expression found =
        reference.base() == null && !reference.absolute()
            ? arguments.scope().record().find(reference.key())
            : null;
    return found == null ? Scalar.of("") : arguments.evaluator().printed(found);
  }

  private static Value unresolved(Arguments arguments) {
    if (arguments.count() < 1
        || arguments.count() > 2
        || !(arguments.expression(0) instanceof Expression.Reference reference)) {
      return Scalar.ERROR;
    }
    Evaluator evaluator = arguments.evaluator();
    Expression definition = Evaluator.definition(reference, arguments.scope());
    if (reference.base() != null || definition == null) {
      return Scalar.UNDEFINED;
    }
    TreeSet<String> found = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    new OpenReferences(evaluator, arguments.scope(), found).of(definition);
    List<String> names = found.stream().map(ContextFunctions::withoutTarget).toList();
    if (arguments.count() == 1) {
      return evaluator.string(String.join(",", names));
    }
    if (!(arguments.value(1) instanceof Scalar.TextValue text)) {
      return Scalar.ERROR;
    }
    BoundedPattern pattern = BoundedPattern.of(text.value(), "i", evaluator);
    if (pattern == null) {
      return Scalar.ERROR;
    }
    boolean any = false;
    for (String each : names) {
      Matcher matcher = pattern.in(each);
      any |= BoundedPattern.next(matcher) && matcher.end() > matcher.start();
    }
    return Scalar.of(any);
  }

  /** In the order of the whole names, as in the library. */
  private static String withoutTarget(String name) {
    return RecordExpression.key(name).startsWith("target.") ? name.substring(7) : name;
  }

  /** The items of the second argument; null when it is neither a list nor undefined. */
  private static ListValue contexts(Arguments arguments) {
    Expression second = arguments.expression(1);
    if (second instanceof Expression.ListExpression listing) {
      return new ListValue(listing, arguments.scope());
    }
    Value of = arguments.value(1);
    if (of.is(ClassAdType.UNDEFINED)) {
      return ListValue.of(List.of());
    }
    return of instanceof ListValue list ? list : null;
  }

  /** A name stands for the expression that it is defined as, if it is. */
  private static Expression meant(Arguments arguments) {
    Expression first = arguments.expression(0);
    if (!(first instanceof Expression.Reference reference)) {
      return first;
    }
    Expression found = null;
    if (reference.base() == null) {
      found = Evaluator.definition(reference, arguments.scope());
    } else if (arguments.evaluator().value(reference.base(), arguments.scope())
        instanceof RecordValue record) {
      Expression.Reference name = new Expression.Reference(null, reference.name(), false);
      found = Evaluator.definition(name, record.scope());
    }
    return found == null ? first : found;
  }

  private static Value inContext(Evaluator evaluator, Expression meant, Value context) {
    if (context instanceof RecordValue record) {
      return evaluator.value(meant, record.scope());
    }
    return context.is(ClassAdType.UNDEFINED) ? context : Scalar.ERROR;
  }

  private static List<Value> results(Arguments arguments, ListValue contexts) {
    Expression meant = meant(arguments);
    Evaluator evaluator = arguments.evaluator();
    List<Value> results = new ArrayList<>();
    for (Expression each : contexts.items()) {
      results.add(inContext(evaluator, meant, evaluator.value(each, contexts.scope())));
    }
    return results;
  }

  private static Value evalInEachContext(Arguments arguments) {
    ListValue contexts = arguments.count() == 2 ? contexts(arguments) : null;
    if (contexts == null) {
      return Scalar.ERROR;
    }
    boolean written = arguments.expression(1) instanceof Expression.ListExpression;
    if (!written && arguments.value(1).is(ClassAdType.UNDEFINED)) {
      return Scalar.UNDEFINED;
    }
    return ListValue.of(results(arguments, contexts));
  }

  private static Value countMatches(Arguments arguments) {
    ListValue contexts = arguments.count() == 2 ? contexts(arguments) : null;
    if (contexts == null) {
      return Scalar.ERROR;
    }
    return Scalar.of(
        results(arguments, contexts).stream()
            .filter(each -> Boolean.TRUE.equals(Logic.truth(each)))
            .count());
  }

  /** Collects the names in an expression that no record around it defines. */
  private static final class OpenReferences {
    private final Evaluator evaluator;
    private final Scope scope;
    private final TreeSet<String> names;
    private final Set<Expression> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    OpenReferences(Evaluator evaluator, Scope scope, TreeSet<String> names) {
      this.evaluator = evaluator;
      this.scope = scope;
      this.names = names;
    }

    void of(Expression expression) {
      evaluator.charge(1);
      if (expression instanceof Expression.Reference reference) {
        reference(reference);
      } else if (expression instanceof RecordExpression record) {
        OpenReferences inside = new OpenReferences(evaluator, new Scope(record, scope), names);
        inside.seen.addAll(seen);
        record.parts().forEach(inside::of);
      } else {
        expression.parts().forEach(this::of);
      }
    }

    private void reference(Expression.Reference node) {
      if (node.base() == null) {
        Expression found = Evaluator.definition(node, scope);
        if (found == null && !Evaluator.meansRecord(node.key(), scope)) {
          names.add(node.name());
        } else if (found == null) {
          return;
        } else if (seen.add(found)) {
          of(found);
        }
        return;
      }
      if (evaluator.value(node, scope).is(ClassAdType.UNDEFINED)) {
        names.add(dotted(node));
      } else {
        of(node.base());
      }
    }

    /** A name with what it is selected from, where that is a name too. */
    private static String dotted(Expression.Reference node) {
      return node.base() instanceof Expression.Reference base
          ? dotted(base) + "." + node.name()
          : node.name();
    }
  }
}
