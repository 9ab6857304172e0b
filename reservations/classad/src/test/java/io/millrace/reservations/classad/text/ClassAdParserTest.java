package io.millrace.reservations.classad.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import org.junit.jupiter.api.Test;

/** Places of what is wrong, the old form, and bounds of texts. */
class ClassAdParserTest {

  private static final ClassAdParser.ClassAdParsingRules USUAL =
      ClassAdParser.ClassAdParsingRules.USUAL;

  private static String refused(String text) {
    return assertThrows(ClassAdRefused.class, () -> ClassAdParser.record(text, USUAL)).getMessage();
  }

  private static String oldRefused(String text) {
    return assertThrows(ClassAdRefused.class, () -> ClassAdParser.oldForm(text, USUAL))
        .getMessage();
  }

  @Test
  void whatIsWrongIsSaidWithItsPlace() {
    assertEquals(
        "line 2, column 10: an expression is missing before ';'",
        refused("[ a = 1;\n  b = 1 +;\n]"));
    assertEquals(
        "line 3, column 1: ';' or ']' is missing before 'b', after attribute a",
        refused("[\n a = 1\nb = 2 ]"));
    assertEquals(
        "line 2, column 1: ';' or ']' is missing before the end of the text, after attribute a",
        refused("[ a = 1\n"));
    assertEquals("line 1, column 1: a record begins with '[', not with 'a'", refused("a = 1"));
    assertEquals(
        "line 1, column 4: '=' is missing before ';', after the name of attribute a",
        refused("[ a; ]"));
    assertEquals("line 1, column 7: the closing \" is missing", refused("[ a = \"open ]"));
    assertEquals(
        "line 1, column 8: 'b' is too much: the expression ended before it", refused("[ a=1 ]b"));
    assertEquals("line 2, column 3: the comment /* has no */", refused("[\n  /* a = 1; ]"));
    assertEquals("line 1, column 7: '@' is no operator", refused("[ a = @ ]"));
    assertEquals(
        "line 1, column 7: a character that is none of the language: U+00A7", refused("[ a = § ]"));
    assertEquals("line 2, column 2: the character 0 is no text", refused("[\n \0]"));
    assertEquals(
        "line 1, column 7: \"later\" is no length of time such as 1+02:03:04 or 2h30m",
        refused("[ a = relTime(\"later\") ]"));
    assertEquals(
        "line 1, column 7: \"later\" is no date and time such as 2026-11-24T18:00:00+09:00",
        refused("[ a = absTime(\"later\") ]"));
    assertEquals(
        "line 1, column 15: ':' is missing before ']', which follows the ? of a condition",
        refused("[ a = b ? c   ]"));
  }

  @Test
  void aLongStringInAMessageIsCut() {
    String message = refused("[ a = 1 \"" + "x".repeat(5_000) + "\" ]");
    assertTrue(message.length() < 200, message);
  }

  @Test
  void theOldFormIsALineForEachAttribute() {
    RecordExpression read =
        ClassAdParser.oldForm(
            "# a comment\n\nFoo = 3\n  Bar = \"ab\\\"cd\\ef\"\nMoo = Foo =!= Undefined\r\n", USUAL);
    assertEquals(
        "[ Foo = 3; Bar = \"ab\\\"cd\\\\ef\"; Moo = Foo isnt undefined ]",
        ClassAdPrinter.print(read));
  }

  @Test
  void aBackslashAtTheEndOfAnOldStringIsItself() {
    assertEquals(
        "[ Path = \"C:\\\\\"; Next = 1 ]",
        ClassAdPrinter.print(ClassAdParser.oldForm("Path = \"C:\\\"\nNext = 1", USUAL)));
  }

  @Test
  void theOldFormTakesSemicolonsBetweenArguments() {
    assertEquals(
        "[ A = strcat(1,2) ]",
        ClassAdPrinter.print(ClassAdParser.oldForm("A = strcat(1; 2)", USUAL)));
  }

  @Test
  void theOldFormSaysLineAndColumnToo() {
    assertEquals(
        "line 3, column 5: an expression is missing before the end of the text",
        oldRefused("a = 1\n\nb = \nc = 3"));
    assertEquals(
        "line 2, column 5: 017: integers of the old form have no leading 0",
        oldRefused("a = 1\nb = 017"));
    assertEquals(
        "line 1, column 7: ';' is too much: the expression ended before it", oldRefused("a = 1 ;"));
    assertEquals(
        "line 2, column 5: the closing \" is missing", oldRefused("a = 1\nb = \"x\nc = 2"));
  }

  @Test
  void aTextThatIsTooLongIsRefusedBeforeItIsRead() {
    String large = "[ a = \"" + "x".repeat(10 << 20) + "\" ]";
    assertEquals(
        "line 1, column 1: the text has 10485770 characters, more than the 1048576 that are read",
        refused(large));
  }

  @Test
  void deepTextsAreRefusedAndDoNotOverflowTheStack() {
    String many = "in each other deeper than 200";
    for (String open :
        new String[] {"(", "{", "[a=", "!", "- ", "a[", "f(", "1 ?", "a ?:", "1 ? 2 :"}) {
      String message =
          assertThrows(
                  ClassAdRefused.class, () -> ClassAdParser.expression(open.repeat(100_000), USUAL))
              .getMessage();
      assertTrue(message.contains(many), open + ": " + message);
    }
    for (String chained : new String[] {" + 1", ".a", "[0]", " && 1", " == 1"}) {
      String text = "a" + chained.repeat(100_000);
      String message =
          assertThrows(ClassAdRefused.class, () -> ClassAdParser.expression(text, USUAL))
              .getMessage();
      assertTrue(message.contains("in each other deeper than 400"), chained + ": " + message);
    }
  }

  @Test
  void whatIsJustDeepEnoughIsRead() {
    String text = "(".repeat(195) + "1" + ")".repeat(195);
    Expression read = ClassAdParser.expression(text, USUAL);
    assertEquals(text, ClassAdPrinter.print(read));
  }

  @Test
  void namesThatNeedItArePrintedInApostrophes() {
    assertEquals("'odd name'", ClassAdPrinter.name("odd name"));
    assertEquals("'is'", ClassAdPrinter.name("is"));
    assertEquals("'it\\'s'", ClassAdPrinter.name("it's"));
    assertEquals("plain_1", ClassAdPrinter.name("plain_1"));
  }
}
