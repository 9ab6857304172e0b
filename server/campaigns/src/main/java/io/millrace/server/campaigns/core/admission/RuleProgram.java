package io.millrace.server.campaigns.core.admission;

import dev.cel.checker.CelStandardDeclarations;
import dev.cel.checker.CelStandardDeclarations.StandardFunction;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.Collection;
import java.util.Map;

/** A rule's expression, ready to be asked. */
final class RuleProgram {

  /** Characters of an expression. */
  static final int LENGTH_MAX = 4_000;

  /** Turns of all its loops together, also of loops in loops. */
  private static final int TURNS_MAX = 1_000;

  private static final int DEPTH_MAX = 32;
  private static final int NODES_MAX = 1_000;

  /** So many characters, or members of a list or map, cost as much as a step. */
  private static final int PER_STEP = 16;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .maxExpressionCodePointSize(LENGTH_MAX)
          .maxParseRecursionDepth(DEPTH_MAX)
          .maxParseExpressionNodeCount(NODES_MAX)
          .comprehensionMaxIterations(TURNS_MAX)
          .build();

  private final CelRuntime.Program program;

  private RuleProgram(CelRuntime.Program program) {
    this.program = program;
  }

  /** Begun when the first rule is set: most sites have none. */
  private static final class Language {
    private static final MapType OBJECT = MapType.create(SimpleType.STRING, SimpleType.DYN);

    /**
     * No matches: to read a pattern alone can take seconds, and a user could write it. No duration:
     * to read one takes more than its length, by far.
     */
    private static final CelCompiler COMPILER =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardEnvironmentEnabled(false)
            .setStandardDeclarations(
                CelStandardDeclarations.newBuilder()
                    .excludeFunctions(StandardFunction.MATCHES, StandardFunction.DURATION)
                    .build())
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addVar("user", SimpleType.STRING)
            .addVar("groups", ListType.create(SimpleType.STRING))
            .addVar("jdl", OBJECT)
            .addVar("cluster", OBJECT)
            .setResultType(SimpleType.BOOL)
            .build();

    private static final CelRuntime RUNTIME =
        CelRuntimeFactory.standardCelRuntimeBuilder().setOptions(OPTIONS).build();
  }

  /**
   * Reads an expression.
   *
   * @throws WrongRule with the place and why, when it means nothing
   */
  static RuleProgram of(String expression) throws WrongRule {
    try {
      return new RuleProgram(
          Language.RUNTIME.createProgram(Language.COMPILER.compile(expression).getAst()));
    } catch (CelValidationException | CelEvaluationException e) {
      throw new WrongRule(line(e.getMessage()));
    }
  }

  private static String line(String message) {
    String first = message.lines().findFirst().orElse("");
    return first
        .replaceFirst("^ERROR: <input>:", "")
        .replaceFirst("^evaluation error at <input>:", "");
  }

  /** What is left to spend on the rules for one campaign; not thread-safe. */
  static final class Budget {
    private long steps;

    Budget(long steps) {
      this.steps = steps;
    }

    private void spend(Object value) {
      steps--;
      if (value instanceof String text) {
        steps -= text.length() / PER_STEP;
      } else if (value instanceof Collection<?> list) {
        steps -= list.size() / PER_STEP;
      } else if (value instanceof Map<?, ?> map) {
        steps -= map.size() / PER_STEP;
      }
      if (steps < 0) {
        throw new Spent();
      }
    }
  }

  private static final class Spent extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Whether it is true.
   *
   * @throws WrongRule when that cannot be said, or would cost more than there is
   */
  boolean holds(Map<String, Object> variables, Budget budget) throws WrongRule {
    try {
      Object value = program.trace(variables, (part, result) -> budget.spend(result));
      if (value instanceof Boolean holds) {
        return holds;
      }
      throw new WrongRule("it is neither true nor false");
    } catch (CelEvaluationException e) {
      throw new WrongRule(e.getCause() instanceof Spent ? tooLong() : line(e.getMessage()));
    } catch (Spent e) {
      throw new WrongRule(tooLong());
    }
  }

  private static String tooLong() {
    return "it takes too long";
  }
}
