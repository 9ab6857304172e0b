package io.millrace.connectors.openpbs;

import io.millrace.connectors.bridge.recorded.RecordedTexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What OpenPBS 23.06.06 has printed, retyped and shortened, and where the recordings are. */
final class PbsFixtures {

  private static final RecordedTexts TEXTS = new RecordedTexts(PbsFixtures.class);

  static final Path RECORDED =
      Path.of(System.getProperty("millrace.root", ".")).resolve("../shared/transcripts/openpbs");

  static final String ENDED =
      "11/20/2026 15:38:31;E;45.vm;user=alice group=users project=mr.c1.13.1 jobname=x queue=workq"
          + " ctime=1795189097 qtime=1795189097 etime=1795189104 start=1795189104"
          + " exec_host=vm/0*2 exec_vnode=(vm[6]:ncpus=2) Resource_List.ncpus=2"
          + " Resource_List.nodect=1 Resource_List.place=pack Resource_List.select=1:ncpus=2"
          + " Resource_List.walltime=00:03:20 session=12791 end=1795189111 Exit_status=271"
          + " resources_used.cpupercent=0 resources_used.cput=00:01:02 resources_used.mem=1420kb"
          + " resources_used.ncpus=2 resources_used.vmem=2500kb resources_used.walltime=00:00:06"
          + " run_count=2";

  private static final Pattern BLOCK = Pattern.compile("(?ms)^\\{\n.*?^}\n");

  private PbsFixtures() {}

  static String text(String name) {
    return TEXTS.text(name);
  }

  /** Fields of an output, each with what is made of it. */
  static Map<String, String> fields(String name) {
    return TEXTS.fields(name);
  }

  /** All recordings, one behind the other. */
  static String recorded() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.list(RECORDED)) {
      for (Path file : files.sorted().toList()) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
  }

  /** The answers in JSON that were recorded. */
  static List<String> recordedJson() throws IOException {
    List<String> found = new ArrayList<>();
    Matcher block = BLOCK.matcher(recorded());
    while (block.find()) {
      found.add(block.group());
    }
    return found;
  }
}
