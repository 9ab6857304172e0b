package io.millrace.schedulers.dialects.schedconfig.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOption;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOption.OptionStanding;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each option that is obeyed has a test that fails when the option is ignored. */
class SchedConfigOptionProofTest {

  @TestFactory
  Stream<DynamicTest> eachOptionDoesWhatItSays() {
    return SchedConfigProofs.all().stream()
        .map(
            proof ->
                DynamicTest.dynamicTest(
                    proof.option(), () -> assertEquals(proof.expected(), proof.seen())));
  }

  @TestFactory
  Stream<DynamicTest> noTestSurvivesThatItsOptionIsIgnored() {
    return SchedConfigProofs.all().stream()
        .map(
            proof ->
                DynamicTest.dynamicTest(
                    proof.option(), () -> assertNotEquals(proof.expected(), proof.seenIgnored())));
  }

  /** All scenes of starred options are in prime time; a spill is named by where it leads to. */
  @TestFactory
  Stream<DynamicTest> anOptionWithAStarHoldsInItsPeriodOnly() {
    return SchedConfigProofs.all().stream()
        .filter(SchedConfigProof::starred)
        .map(
            proof -> {
              boolean spill = proof.option().equals(SchedConfigOptions.PRIME_SPILL);
              String its = spill ? "non_prime" : "prime";
              String other = spill ? "prime" : "non_prime";
              return DynamicTest.dynamicTest(
                  proof.option(),
                  () -> {
                    assertEquals(proof.expected(), proof.seenIn(its));
                    assertEquals(proof.seenIgnored(), proof.seenIn(other));
                  });
            });
  }

  @Test
  void eachOptionThatIsObeyedHasOneTest() {
    List<String> obeyed =
        SchedConfigOptions.all().stream()
            .filter(
                it -> it.standing() == OptionStanding.ACTS || it.standing() == OptionStanding.OLD)
            .map(SchedConfigOption::name)
            .toList();
    assertEquals(obeyed, SchedConfigProofs.all().stream().map(SchedConfigProof::option).toList());
  }
}
