package io.millrace.schedulers.dialects.plus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each option and each key has a test that fails when the option is ignored. */
class PlusOptionProofTest {

  @TestFactory
  Stream<DynamicTest> eachOptionDoesWhatItSays() {
    return PlusProofs.all().stream()
        .map(
            proof ->
                DynamicTest.dynamicTest(
                    proof.what(), () -> assertEquals(proof.expected(), proof.seen(false))));
  }

  /** But for NodeName: nodes go by name where nothing else is said. */
  @TestFactory
  Stream<DynamicTest> noTestSurvivesThatItsOptionIsIgnored() {
    return PlusProofs.all().stream()
        .filter(proof -> !proof.what().equals(PlusNodeKey.NAME.word()))
        .map(
            proof ->
                DynamicTest.dynamicTest(
                    proof.what(), () -> assertNotEquals(proof.expected(), proof.seen(true))));
  }

  @Test
  void eachOptionAndEachKeyHasOneTest() {
    List<String> known = new ArrayList<>(PlusOption.words());
    known.addAll(PlusJobKey.words());
    known.addAll(PlusNodeKey.words());
    assertEquals(known, PlusProofs.all().stream().map(PlusProof::what).toList());
  }

  @Test
  void theNameDecidesBetweenEqualNodesOnly() {
    String text = "NodeSortKey: NodeName, LargestPhysicalMemory\n";
    PlusText.PlusConfRead read = PlusText.read("sched_conf", text);
    assertTrue(read.notes().get(0).contains("decides nothing after NodeName"));
    PlusScene scene = new PlusScene(read.conf()).queue("q", 0);
    scene.node("b", 4, 1L << 31, 0).node("a", 4, 1L << 30, 0);
    assertEquals("a", scene.job("q", 0, "ncpus=1").nodes());
  }
}
