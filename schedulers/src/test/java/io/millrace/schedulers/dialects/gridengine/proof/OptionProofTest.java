package io.millrace.schedulers.dialects.gridengine.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.schedulers.gridengine.language.options.ObjectTables;
import io.millrace.schedulers.gridengine.language.options.OptionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Each option has a test that fails when the option is ignored, that is, when it has its usual
 * value although the text sets another.
 */
class OptionProofTest {

  @TestFactory
  Stream<DynamicTest> eachOptionDoesWhatItSays() {
    return Proofs.all().stream()
        .map(
            proof ->
                DynamicTest.dynamicTest(
                    proof.name(), () -> assertEquals(proof.expected(), proof.seen(false))));
  }

  @TestFactory
  Stream<DynamicTest> noTestSurvivesThatItsOptionIsIgnored() {
    return Proofs.all().stream()
        .map(
            proof ->
                DynamicTest.dynamicTest(
                    proof.name(),
                    () ->
                        assertFalse(
                            proof.holds(true),
                            () -> "the test of " + proof.name() + " passes without the option")));
  }

  @Test
  void eachOptionHasOneTest() {
    List<String> options = new ArrayList<>();
    for (OptionTable table : ObjectTables.all().values()) {
      table.options().forEach(option -> options.add(table.title() + ": " + option.name()));
    }
    List<String> proven = Proofs.all().stream().map(Proof::name).sorted().toList();
    assertEquals(options.stream().sorted().toList(), proven);
  }
}
