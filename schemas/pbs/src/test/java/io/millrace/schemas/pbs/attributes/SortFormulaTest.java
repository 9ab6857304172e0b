package io.millrace.schemas.pbs.attributes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SortFormulaTest {
  private static final Map<String, Double> JOB =
      Map.of(
          "ncpus",
          4.0,
          "walltime",
          3600.0,
          "job_priority",
          -7.0,
          "queue_priority",
          50.0,
          "zero",
          0.0);

  private static double value(String text) throws Exception {
    SortFormula formula = SortFormula.of(text);
    return formula.value(formula.names().stream().mapToDouble(JOB::get).toArray());
  }

  /** Formulas with the values that Python 3 computes for them. */
  private static final String MEANINGS =
      """
      5*ncpus+0.05*walltime; 200
      -2**2; -4
      2**-1; 0.5
      2**3**2; 512
      -7 % 3; 2
      7 % -3; -2
      -7//2; -4
      1//0.1; 9
      -1//0.1; -10
      0.3//0.1; 2
      5.5//-1.1; -5
      1e17//3; 33333333333333332
      100//10*5; 50
      2*3%4; 2
      2+3*4-5; 9
      100/10/5; 2
      (ncpus+1)*-job_priority; 35
      +-+3; -3
      1e3+.5+2.; 1002.5
      1.5E-1*2; 0.3
      log(8,2); 3
      pow(2,-(ncpus/8)); 0.7071067811865476
      max(1,ncpus,2)-min(queue_priority,ncpus); 0
      ceil(1.2)+floor(-1.2)+trunc(-1.7); -1
      hypot(3,4); 5
      e**1-exp(1); 0
      degrees(pi); 180
      10%3.5; 3
      copysign(3,job_priority); -3
      fmod(-7,3); -1
      atan2(1,2); 0.4636476090008061
      zero**zero; 1
      """;

  @Test
  void itMeansWhatPythonMeans() throws Exception {
    for (String line : MEANINGS.lines().toList()) {
      String[] meaning = line.split(";");
      assertEquals(Double.parseDouble(meaning[1]), value(meaning[0]), 1e-12, line);
    }
  }

  @Test
  void anErrorGivesNothing() throws Exception {
    for (String text :
        List.of(
            "1/zero",
            "1+1/zero*0",
            "max(5,1/zero)",
            "(1/zero)**0",
            "sqrt(job_priority)",
            "log(zero)+1",
            "5-zero**-1",
            "1+(-8)**(1/3)",
            "1 // zero",
            "1 % zero")) {
      assertEquals(0, value(text), text);
    }
  }

  @Test
  void othersAreNone() {
    for (String text :
        List.of(
            "",
            "   ",
            "ncpus+",
            "ncpus walltime",
            "(ncpus",
            "ncpus)",
            "2x",
            "1.2.3",
            "ncpus,walltime",
            "ncpus < 3",
            "sqrt()",
            "sqrt(1,2)",
            "max(1)",
            "nosuch(1)",
            "ncpus * * 2",
            "1e",
            "1e999",
            "'a'",
            "ncpus;walltime",
            "__import__('os')")) {
      assertThrows(SortFormula.BadFormula.class, () -> SortFormula.of(text), text);
    }
  }

  @Test
  void whatIsWrongIsSaid() {
    assertEquals("at '< 3'", refusal("ncpus < 3"));
    assertEquals("it ends too early", refusal("ncpus+"));
    assertTrue(
        refusal("nosuch(1)").startsWith("there is no function nosuch of 1; there are abs, "));
    assertTrue(refusal("(".repeat(5000)).startsWith("over 4096"));
    assertTrue(refusal("(".repeat(4000)).startsWith("more than 100 levels"));
    assertTrue(refusal("-".repeat(4000)).startsWith("more than 100 levels"));
    assertTrue(refusal("2**".repeat(1000)).startsWith("more than 100 levels"));
  }

  private static String refusal(String text) {
    return assertThrows(SortFormula.BadFormula.class, () -> SortFormula.of(text)).getMessage();
  }

  @Test
  void eachNameIsWantedOnce() throws Exception {
    assertEquals(List.of("ncpus", "mem"), SortFormula.of("ncpus*mem+ncpus*pi+sqrt(mem)").names());
    assertEquals(SortFormula.of("ncpus *2"), SortFormula.of("ncpus *2 "));
  }
}
