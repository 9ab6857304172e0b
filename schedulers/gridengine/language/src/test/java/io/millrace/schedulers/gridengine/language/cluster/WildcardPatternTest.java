package io.millrace.schedulers.gridengine.language.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WildcardPatternTest {

  /** Which of the names a, b, c and ab match. */
  @ParameterizedTest
  @CsvSource({
    "a, a",
    "a*, a ab",
    "?, a b c",
    "!a, b c ab",
    "!(a|b), c ab",
    "(a|b)&!a, b",
    "!(a|b)&?, c",
    "!a|a, a b c ab",
    "a|b&c, a",
    "(a|b)&c, ''",
    "!!a, a",
    "!(!a), a",
    "((a)), a",
    "[ab], a b",
    "[!ab], c",
    "[!a]|ab, b c ab",
    "!([ab]|c), ab",
    "' a | b ', a b",
    "(a|b, a b",
    "a), a",
    "'', ''"
  })
  void parenthesesBindBeforeAndBeforeOr(String text, String fitting) {
    WildcardPattern pattern = WildcardPattern.of(text);
    assertEquals(
        fitting,
        Stream.of("a", "b", "c", "ab").filter(pattern::fits).collect(Collectors.joining(" ")));
  }
}
