package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Members of groups in JSON are left out as their attributes are elsewhere. */
class OneSidedAttributesTest {

  private static String without(String text) throws Exception {
    return OneSidedAttributes.read("/golden/one-sided.txt").without(text);
  }

  @Test
  void aGroupGoesWithItsLastMember() throws Exception {
    assertEquals(
        "{\"a\": 1, \"total_jobs\": 1 }",
        without(
            "{\"a\": 1, \"default_chunk\": {\n \"ncpus\": 1\n}, \"total_jobs\": 1,"
                + " \"resources_default\": {\"ncpus\": 1}}"));
  }

  @Test
  void whatBothHaveStays() throws Exception {
    String empty = "{\"resources_assigned\": {\n}, \"resources_default\": {\"mem\": \"1gb\"}}";
    assertEquals(empty, without(empty));
    assertEquals(
        "{\"resources_default\": {\"mem\": \"1gb\"}}",
        without("{\"resources_default\": {\"mem\": \"1gb\", \"ncpus\": 1}}"));
  }
}
