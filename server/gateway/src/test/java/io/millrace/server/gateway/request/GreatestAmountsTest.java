package io.millrace.server.gateway.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The greatest amount of each kind goes in by every door, and what is greater by none. */
class GreatestAmountsTest {
  private final FakeSite site = new FakeSite();
  private final Map<String, byte[]> files = new HashMap<>();

  private FakeInvocation run(String... line) throws Exception {
    return site.run(new FakeInvocation("pbsu1", List.of(line), files, site.id()));
  }

  private void file(String name, String text) {
    files.put(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private ResourceRequest submitted() {
    SpecificRecord sent = site.sent.get(site.sent.size() - 1).command();
    return ((SubmitJobs) sent).getJobs().get(0).getSpec().getRequest();
  }

  private static long amount(ResourceRequest request, String resource) {
    return resource.equals("walltime")
        ? request.getWalltimeS()
        : request.getChunks().get(0).getAmounts().get(resource);
  }

  @ParameterizedTest
  @CsvSource({
    "walltime,2562047788015215:30:07,2562047788015215:30:08",
    "walltime,99999999999999999,100000000000000000",
    "mem,9223372036854775807b,9223372036854775808b",
    "mem,9007199254740991kb,9007199254740992kb",
    "ncpus,9223372036854775807,9223372036854775808"
  })
  void theyAreTheSameAtEachDoor(String resource, String greatest, String above) throws Exception {
    ResourceDefinition definition = ResourceTable.standard().find(resource).orElseThrow();
    long amount = Amounts.parse(definition, greatest);
    String below = Amounts.format(definition, amount - 1);
    for (String text : List.of(greatest, below)) {
      long expected = text.equals(greatest) ? amount : amount - 1;
      String asked = resource + "=" + text;
      assertEquals("", run("qsub", "-l", asked, "--", "/bin/true").errors());
      assertEquals(expected, amount(submitted(), resource));
      file("job.sh", "#PBS -l " + asked + "\n");
      assertEquals("", run("qsub", "job.sh").errors());
      assertEquals(expected, amount(submitted(), resource));
      file("lines-" + asked, "-l " + asked + " -- /bin/true\n");
      assertEquals("", run("qsub", "--bulk", "lines-" + asked).errors());
      assertEquals(expected, amount(submitted(), resource));
    }
    int sent = site.sent.size();
    String asked = resource + "=" + above;
    String refusal = "Illegal attribute or resource value Resource_List." + resource;
    refused(refusal, "qsub", "-l", asked, "--", "/bin/true");
    file("job.sh", "#PBS -l " + asked + "\n");
    refused(refusal, "qsub", "job.sh");
    file("lines", "-l " + asked + " -- /bin/true\n");
    refused(refusal, "qsub", "--bulk", "lines");
    assertEquals(sent, site.sent.size());
  }

  private void refused(String why, String... line) throws Exception {
    String errors = run(line).errors();
    assertTrue(errors.contains(why), errors);
    assertEquals(166, site.status);
  }

  @ParameterizedTest
  @CsvSource({"2562047788015215:30:07,2562047788015215:30:08"})
  void aJobIsAlteredWithinTheRange(String greatest, String above) throws Exception {
    site.jobs.put(1L, Jobs.fromScript(1, JobStatus.HELD));
    assertEquals("", run("qalter", "-l", "walltime=" + greatest, "1").errors());
    AlterJob sent = (AlterJob) site.sent.get(site.sent.size() - 1).command();
    assertEquals(Long.MAX_VALUE, sent.getRequest().getWalltimeS());
    refused(
        "Illegal attribute or resource value Resource_List.walltime",
        "qalter",
        "-l",
        "walltime=" + above,
        "1");
  }

  @ParameterizedTest
  @CsvSource({
    "select=2:ncpus=4611686018427387904",
    "select=1:ncpus=9223372036854775807+1:ncpus=1",
    "select=2:mem=8191pb"
  })
  void whatAllChunksHaveTogetherIsWithinTheRange(String asked) throws Exception {
    run("qsub", "-l", asked, "--", "/bin/true");
    assertEquals(166, site.status);
    assertTrue(site.sent.isEmpty());
  }
}
