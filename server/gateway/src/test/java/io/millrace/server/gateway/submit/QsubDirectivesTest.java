package io.millrace.server.gateway.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Topics;
import io.millrace.schemas.common.Attribute;
import io.millrace.server.gateway.command.FakeInvocation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Options in a script, and those that the server presets. */
class QsubDirectivesTest extends QsubFixture {
  @Test
  void directivesAreUnderTheCommandLine() throws Exception {
    String script =
        "#!/bin/sh\n#PBS -N fromscript -p 7  # a remark\n#PBS -l ncpus=1,walltime=00:10:00\n\n"
            + "sleep 300\n#PBS -N toolate\n";
    files.put("job.sh", script.getBytes(StandardCharsets.UTF_8));
    assertEquals("1.vm\n", qsub("-l", "walltime=60", "-h", "job.sh").output());
    assertEquals("fromscript", spec().getName());
    assertEquals(7, spec().getPriority());
    assertEquals(60, spec().getRequest().getWalltimeS());
    assertEquals("1:ncpus=1", resource("select"));
    assertEquals("u", submission().getJobs().get(0).getHolds());
    assertEquals("-l walltime=60 -h job.sh", spec().getSubmitArguments());
    assertEquals(
        script,
        StandardCharsets.UTF_8.decode(submission().getScripts().get(0).getText()).toString());
    assertEquals(submission().getScripts().get(0).getHash(), spec().getScriptHash());
  }

  @Test
  void whatTheServerPresetsIsUnderTheScript() throws Exception {
    preset("-r n -N preset -A 'our account' -l walltime=5,ncpus=2 -W umask=27");
    files.put("job.sh", "#PBS -N fromscript -l walltime=7\n".getBytes(StandardCharsets.UTF_8));
    assertEquals("1.vm\n", qsub("-l", "ncpus=3", "job.sh").output());
    assertEquals("fromscript", spec().getName());
    assertEquals("our account", spec().getAccount());
    assertFalse(spec().getRerunnable());
    assertEquals(7, spec().getRequest().getWalltimeS());
    assertEquals("1:ncpus=3", resource("select"));
    assertEquals(List.of(new Attribute("umask", "27")), spec().getExtra());
    assertEquals("-l ncpus=3 job.sh", spec().getSubmitArguments());
    qsub("-r", "y", "--", "/bin/true");
    assertTrue(spec().getRerunnable());
    assertEquals("preset", spec().getName());
    assertEquals(5, spec().getRequest().getWalltimeS());
  }

  @Test
  void whatCannotBePresetIsSaid() throws Exception {
    preset("job.sh");
    assertEquals(
        "qsub: default_qsub_arguments: options only: job.sh\n", qsub("--", "/bin/true").errors());
    assertEquals(2, site.status);
    assertEquals(List.of(), site.sent);
    preset("-C x -J 1-3 -N preset"); // what qmgr refuses
    assertEquals("1.vm\n", qsub("--", "/bin/true").output());
    assertEquals("preset", spec().getName());
    assertNull(submission().getJobs().get(0).getArray());
    preset("-? -S bash -c u -p 7 -r n -l ncpus=2"); // the first three as well
    FakeInvocation run = qsub("--", "/bin/true");
    assertEquals("2.vm\n", run.output());
    assertEquals("", run.errors());
    assertEquals(7, spec().getPriority());
    assertEquals("1:ncpus=2", resource("select"));
  }

  @Test
  void noDirectiveBeforeTheFirstCommandIsLost() throws Exception {
    script("#!/bin/sh\n  # modules\n: nothing\n\t#PBS -p 7\n#PBS-l ncpus=2\n#PBS -N a\ntrue\n");
    assertEquals(7, spec().getPriority());
    assertEquals("1:ncpus=2", resource("select"));
    assertEquals("a", spec().getName());
    script("#PBS -l select=1:\\\n ncpus=2 \\ \n-N b\n#PBS -p 8\ntrue\n");
    assertEquals(1, site.status);
    script("#PBS -l select=1:\\\nncpus=2 \\ \n-N b\n#PBS -p 8 \\");
    assertEquals("1:ncpus=2", resource("select"));
    assertEquals("b", spec().getName());
    assertEquals(8, spec().getPriority());
    script("  : ends it\n#PBS -p 9\n");
    assertEquals(0, spec().getPriority());
  }

  @Test
  void aDirectiveIsReadByItself() throws Exception {
    String errors = script("#PBS -N a b\n#PBS -p 7\ntrue\n").errors();
    assertEquals("qsub: directive error: -N a b\n", errors);
    assertEquals(1, site.status);
    errors = script("#PBS -p 7 -N\n#PBS -h\ntrue\n").errors();
    String missing = "qsub: directive error: option requires an argument -- 'N'\n";
    assertTrue(errors.startsWith(missing), errors);
    assertTrue(site.sent.isEmpty());
  }

  @Test
  void aScriptWithLineEndsOfWindowsIsRefused() throws Exception {
    String text = "#PBS -N a\ntrue\r\n";
    assertEquals("qsub: script contains cr, lf\n", script(text).errors());
    assertEquals(1, site.status);
    assertEquals("qsub: script contains cr, lf\n", qsubReading(text).errors());
    assertEquals(1, site.status);
    assertTrue(site.sent.isEmpty());
    assertEquals("1.vm\n", script("true\rfalse\n").output());
  }

  private String resource(String name) {
    return spec().getResourceList().stream()
        .filter(a -> a.getName().equals(name))
        .map(Attribute::getValue)
        .findFirst()
        .orElse(null);
  }

  @Test
  void aScriptThatIsTooLargeIsRefusedInOneLine() throws Exception {
    files.put("big.sh", new byte[Topics.SCRIPT_BYTES_MAX + 1]);
    FakeInvocation refused = qsub("big.sh");
    assertEquals(
        "qsub: script big.sh is too large: a script has at most 1048576 bytes\n", refused.errors());
    assertEquals(1, site.status);
    FakeInvocation input = qsubReading("x".repeat(Topics.SCRIPT_BYTES_MAX + 1));
    assertTrue(input.errors().contains("standard input is too large"), input.errors());
    assertTrue(site.sent.isEmpty());
  }
}
