package io.millrace.server.gateway.submit;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lines of {@code qsub} typed at a gateway whose site is a false one. */
abstract class QsubFixture {
  final FakeSite site = new FakeSite();
  final Map<String, byte[]> files = new HashMap<>();

  FakeInvocation qsub(String... args) throws Exception {
    return qsubReading("", args);
  }

  FakeInvocation qsubReading(String stdin, String... args) throws Exception {
    List<String> line = new java.util.ArrayList<>(List.of("qsub"));
    line.addAll(List.of(args));
    return site.run(new FakeInvocation("pbsu1", line, files, site.id()).stdin(stdin));
  }

  SubmitJobs submission() {
    return (SubmitJobs) site.sent.get(site.sent.size() - 1).command();
  }

  JobSpec spec() {
    return submission().getJobs().get(0).getSpec();
  }

  void preset(String options) {
    site.put(
        ObjectKind.SERVER, "server", "default_queue", "workq", "default_qsub_arguments", options);
  }

  FakeInvocation script(String text) throws Exception {
    files.put("job.sh", text.getBytes(StandardCharsets.UTF_8));
    return qsub("job.sh");
  }

  static NewJob job(SubmitJobs command, int index) {
    return command.getJobs().get(index);
  }
}
