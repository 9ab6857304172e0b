package io.millrace.schedulers.dialects.origin2000.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each option has a test that fails when the option is ignored. */
class OriginOptionProofTest {

  @TestFactory
  Stream<DynamicTest> eachOptionDoesWhatItSays() {
    return OriginProofs.all().stream()
        .map(
            proof ->
                DynamicTest.dynamicTest(
                    proof.option().name(),
                    () -> assertEquals(proof.expected(), proof.seen(false))));
  }

  @TestFactory
  Stream<DynamicTest> noTestSurvivesThatItsOptionIsIgnored() {
    return OriginProofs.all().stream()
        .map(
            proof ->
                DynamicTest.dynamicTest(
                    proof.option().name(),
                    () -> assertNotEquals(proof.expected(), proof.seen(true))));
  }

  @Test
  void eachOptionHasOneTest() {
    assertEquals(
        List.of(OriginOption.values()),
        OriginProofs.all().stream().map(OriginProof::option).sorted().toList());
  }
}
